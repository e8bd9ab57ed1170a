#include "lightning/file/torch_tree.hpp"

#include <optional>
#include <stdexcept>

namespace levin::core {
namespace {

using nlohmann::json;
using Kind = PickleValue::Kind;

constexpr int most_tree_levels = 32;
constexpr size_t most_cost = 64u << 20;  // total of values and text bytes; a file may refer to the same ones many times
constexpr size_t cost_of_value = 16;

class Converter {
 public:
  explicit Converter(const TorchFile& file) : file_(file), pickle_(file.pickle()) {}

  json convert(uint32_t index, const std::string& path, int level = 0) {
    const PickleValue& value = pickle_[index];
    spend(cost_of_value + path.size() + value.text.size());
    if (level > most_tree_levels) throw std::runtime_error("its values are nested too deeply, or in a circle");
    switch (value.kind) {
      case Kind::boolean:
        return value.integer != 0;
      case Kind::integer:
        return value.integer;
      case Kind::real:
        return value.real;
      case Kind::text:
        return value.text;
      case Kind::tuple:
      case Kind::list:
        return convert_list(value, path, level);
      case Kind::dict:
        return convert_dict(value, path, level);
      case Kind::call:
        return convert_call(index, path, level);
      default:
        return nullptr;
    }
  }
  std::map<std::string, uint32_t> tensors;

 private:
  void spend(size_t cost) {
    cost_ += cost;
    if (cost_ > most_cost) throw std::runtime_error("it has more values than a checkpoint can have");
  }

  json convert_list(const PickleValue& list, const std::string& path, int level) {
    json out = json::array();
    for (const uint32_t item : list.items)
      out.push_back(convert(item, path + std::to_string(out.size()) + "/", level + 1));
    return out;
  }

  static std::optional<std::string> key_of(const PickleValue& key) {
    if (key.kind == Kind::text) return key.text;
    if (key.kind == Kind::integer) return std::to_string(key.integer);
    return std::nullopt;
  }

  json convert_dict(const PickleValue& dict, const std::string& path, int level) {
    json out = json::object();
    for (size_t i = 0; i + 1 < dict.items.size(); i += 2)
      if (const auto key = key_of(pickle_[dict.items[i]]))
        out[*key] = convert(dict.items[i + 1], path + *key + "/", level + 1);
    return out;
  }

  // The only call converted is a Counter of a dict: the milestones of a schedule.
  json convert_call(uint32_t index, const std::string& path, int level) {
    if (file_.is_tensor(index)) {
      tensors[path.substr(0, path.size() - (path.empty() ? 0 : 1))] = index;
      return nullptr;
    }
    const auto& parts = pickle_[index].items;
    const auto& arguments = pickle_[parts[1]].items;
    if (pickle_[parts[0]].text != "collections.Counter" || arguments.size() != 1) return nullptr;
    return convert(arguments[0], path, level + 1);
  }

  const TorchFile& file_;
  const Pickle& pickle_;
  size_t cost_ = 0;
};

}  // namespace

TorchTree torch_tree(const TorchFile& file, uint32_t value) {
  Converter converter(file);
  TorchTree out;
  out.values = converter.convert(value, "");
  out.tensors = std::move(converter.tensors);
  return out;
}

}  // namespace levin::core
