#include "lightning/file/lightning_checkpoint.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Kind = PickleValue::Kind;

template <class T>
double element(const StoredTensor& tensor) {
  T out;
  std::memcpy(&out, tensor.data, sizeof out);
  return static_cast<double>(out);
}

double upper_half_of_float(const StoredTensor& tensor) {
  uint16_t bits;
  std::memcpy(&bits, tensor.data, sizeof bits);
  const uint32_t whole = uint32_t{bits} << 16;
  float out;
  std::memcpy(&out, &whole, sizeof out);
  return static_cast<double>(out);
}

struct ElementType {
  const char* dtype;
  uint64_t bytes;
  double (*read)(const StoredTensor&);
};
constexpr ElementType element_types[] = {{"F32", 4, element<float>},
                                         {"F64", 8, element<double>},
                                         {"BF16", 2, upper_half_of_float},
                                         {"I64", 8, element<int64_t>},
                                         {"I32", 4, element<int32_t>}};

}  // namespace

LightningCheckpoint::LightningCheckpoint(const std::string& path) : path_(path), file_(path) {
  const Pickle& pickle = file_.pickle();
  uint32_t version = 0;
  if (pickle.find(pickle.root(), "pytorch-lightning_version", &version) && pickle.is(version, Kind::text))
    version_ = printable(pickle[version].text);
  check();
}

void LightningCheckpoint::check() const {
  const Pickle& pickle = file_.pickle();
  uint32_t part = 0;
  const std::string way_on = "; start a fit from its weights with --model.init_from FILE";
  if (version_.empty())
    throw Error(ErrorCode::checkpoint_incomplete,
                path_ + " holds weights only, so a fit cannot resume from it" + way_on);
  for (const char* key : {"optimizer_states", "lr_schedulers"})
    if (!pickle.find(pickle.root(), key, &part) || !pickle.is(part, Kind::list))
      throw Error(ErrorCode::checkpoint_incomplete,
                  path_ + " has no " + key + ", as it was saved with weights only" + way_on);
}

void LightningCheckpoint::fail(const std::string& what) const {
  throw Error(ErrorCode::lightning_checkpoint_unsupported, path_ + (starts_with(what, "has ") ? " " : ": ") + what);
}

std::vector<std::string> LightningCheckpoint::keys_of(uint32_t dict) const {
  std::vector<std::string> out;
  const Pickle& pickle = file_.pickle();
  if (!pickle.is(dict, Kind::dict)) return out;
  const auto& items = pickle[dict].items;
  for (size_t i = 0; i + 1 < items.size(); i += 2)
    if (pickle.is(items[i], Kind::text)) out.push_back(pickle[items[i]].text);
  return out;
}

std::vector<std::string> LightningCheckpoint::weight_names() const {
  uint32_t weights = 0;
  const Pickle& pickle = file_.pickle();
  return pickle.find(pickle.root(), "state_dict", &weights) ? keys_of(weights) : std::vector<std::string>();
}

std::vector<std::string> LightningCheckpoint::callback_names() const {
  uint32_t callbacks = 0;
  const Pickle& pickle = file_.pickle();
  if (!pickle.find(pickle.root(), "callbacks", &callbacks)) return {};
  std::vector<std::string> out;
  for (const std::string& name : keys_of(callbacks)) out.push_back(printable(name.substr(0, name.find('{'))));
  return out;
}

json LightningCheckpoint::hyper_parameters() const {
  uint32_t found = 0;
  const Pickle& pickle = file_.pickle();
  if (!pickle.find(pickle.root(), "hyper_parameters", &found)) return json::object();
  try {
    json out = torch_tree(file_, found).values;
    return out.is_object() ? out : json::object();
  } catch (const std::runtime_error&) {
    return json::object();  // may be any user values, and is used for display only
  }
}

TorchTree LightningCheckpoint::part(const std::string& key) const {
  uint32_t found = 0;
  const Pickle& pickle = file_.pickle();
  if (!pickle.find(pickle.root(), key, &found)) fail("has no " + key);
  try {
    return torch_tree(file_, found);
  } catch (const std::runtime_error& e) {
    fail(key + ": " + e.what());
  }
}

double LightningCheckpoint::number(const TorchTree& tree, const std::string& place) const {
  if (const auto found = tree.tensors.find(place); found != tree.tensors.end()) {
    const StoredTensor stored = tensor(found->second, place);
    for (const ElementType& type : element_types)
      if (stored.dtype == type.dtype && stored.bytes == type.bytes) return type.read(stored);
    fail(place + " is a tensor and not a number");
  }
  const json::json_pointer pointer("/" + place);
  const json* value = tree.values.contains(pointer) ? &tree.values[pointer] : nullptr;
  if (value == nullptr || !value->is_number()) fail(place + " is no number");
  return value->get<double>();
}

}  // namespace levin::core
