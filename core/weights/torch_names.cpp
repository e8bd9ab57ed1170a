#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/base/text.hpp"
#include "core/checkpoint/container/format.hpp"
#include "core/weights/torch_file.hpp"

namespace levin::core {
namespace {

using Kind = PickleValue::Kind;
constexpr int most_levels = 64;
constexpr size_t most_visits = 4'000'000;

// The usual keys of the state_dict in checkpoints of training programs.
constexpr const char* usual_keys[] = {"state_dict", "model_state_dict", "model_state", "model",
                                      "net",        "module",           "weights",     "params"};

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

class Collector {
 public:
  explicit Collector(const TorchFile& file) : file_(file), pickle_(file.pickle()) {}

  // Adds every tensor at or below this value.
  void collect(uint32_t value, const std::string& prefix, int level = 0) {
    if (level > most_levels || ++visits_ > most_visits || prefix.size() > max_name_bytes)
      throw std::runtime_error("its values are nested too deeply, or in a circle, or a name is too long");
    if (file_.is_tensor(value)) {
      tensors_.emplace(prefix, value);
      return;
    }
    const PickleValue& v = pickle_[value];
    if (holds_tensors(v)) {  // kept, so that reading it fails: it must not be skipped silently
      tensors_.emplace(prefix, value);
      return;
    }
    if (v.kind == Kind::dict) return collect_dict(value, prefix, level);
    if (v.kind == Kind::call && v.items.size() == 3 && pickle_.is(v.items[2], Kind::dict))
      collect_module(v.items[2], prefix, level);
  }
  std::map<std::string, uint32_t> take() { return std::move(tensors_); }

 private:
  bool holds_tensors(const PickleValue& v) const {
    if (v.kind != Kind::tuple && v.kind != Kind::list) return false;
    return std::any_of(v.items.begin(), v.items.end(), [this](uint32_t item) { return file_.is_tensor(item); });
  }
  void collect_dict(uint32_t dict, const std::string& prefix, int level) {
    const auto& items = pickle_[dict].items;
    for (size_t i = 0; i + 1 < items.size(); i += 2)
      if (pickle_.is(items[i], Kind::text)) collect(items[i + 1], joined(prefix, pickle_[items[i]].text), level + 1);
  }
  // The state of an nn.Module has dicts of its parts. The state of a TorchScript module has the parts themselves.
  void collect_module(uint32_t state, const std::string& prefix, int level) {
    uint32_t part = 0;
    if (!pickle_.find(state, "_parameters", &part)) return collect_dict(state, prefix, level);
    for (const char* name : {"_parameters", "_buffers", "_modules"})
      if (pickle_.find(state, name, &part)) collect(part, prefix, level + 1);
  }

  const TorchFile& file_;
  const Pickle& pickle_;
  size_t visits_ = 0;
  std::map<std::string, uint32_t> tensors_;
};

bool has_tensors(const TorchFile& file, uint32_t dict) {
  const auto& items = file.pickle()[dict].items;
  for (size_t i = 0; i + 1 < items.size(); i += 2)
    if (file.is_tensor(items[i + 1])) return true;
  return false;
}

// Returns the value that holds only the weights.
uint32_t root_of_weights(const TorchFile& file, std::string* format) {
  const Pickle& pickle = file.pickle();
  const uint32_t root = pickle.root();
  uint32_t found = 0;
  *format = pickle.is(root, Kind::call) ? "a module of PyTorch" : "a state_dict of PyTorch";
  if (!pickle.is(root, Kind::dict) || has_tensors(file, root)) return root;
  if (pickle.find(root, "pytorch-lightning_version", &found)) *format = "a checkpoint of Lightning";
  for (const char* key : usual_keys)
    if (pickle.find(root, key, &found) && (pickle.is(found, Kind::dict) || pickle.is(found, Kind::call))) return found;
  return root;
}

std::string what_there_is(const Pickle& pickle) {
  const PickleValue& root = pickle[pickle.root()];
  if (root.kind != Kind::dict) return "it is not a state_dict";
  std::vector<std::string> keys;
  for (size_t i = 0; i + 1 < root.items.size(); i += 2)
    if (pickle.is(root.items[i], Kind::text)) keys.push_back(pickle[root.items[i]].text);
  return keys.empty() ? "its dict is empty" : "its dict has " + join_some(keys, 12);
}

}  // namespace

TorchWeights find_weights(const TorchFile& file) {
  TorchWeights out;
  Collector collector(file);
  collector.collect(root_of_weights(file, &out.format), "");
  out.tensors = collector.take();
  if (out.tensors.empty() || out.tensors.count("") != 0)
    throw std::runtime_error("there are no named weights in it: " + what_there_is(file.pickle()) +
                             "; save model.state_dict()");
  return out;
}

}  // namespace levin::core
