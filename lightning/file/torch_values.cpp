#include <cstdint>

#include "core/weights/state_dict_writer.hpp"
#include "lightning/file/torch_tree.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

class ValueWriter {
 public:
  ValueWriter(TorchArchive& out, const TorchValues& all) : out_(out), pickle_(out.pickle()), all_(all) {}

  void write(const json& value, const std::string& place) {
    if (const auto tensor = all_.tensors.find(place); tensor != all_.tensors.end())
      return out_.tensor(place, tensor->second);
    switch (value.type()) {
      case json::value_t::object:
        return write_object(value, place);
      case json::value_t::array:
        return write_array(value, place);
      case json::value_t::string:
        return out_.text(value.get_ref<const std::string&>());
      case json::value_t::boolean:
        return pickle_.boolean(value);
      case json::value_t::number_integer:
      case json::value_t::number_unsigned:
        return pickle_.integer(value);
      case json::value_t::number_float:
        return pickle_.real(value);
      default:
        return pickle_.none();
    }
  }

 private:
  static std::string below(const std::string& place, const std::string& key) {
    return place.empty() ? key : place + "/" + key;
  }

  void write_object(const json& object, const std::string& place) {
    if (place == "state_dict") return write_weights();
    const std::string suffix = "/state";
    const bool numbered =
        place.size() > suffix.size() && place.compare(place.size() - suffix.size(), suffix.size(), suffix) == 0;
    pickle_.dict();
    pickle_.mark();
    for (const auto& [key, value] : object.items()) {
      if (numbered)
        pickle_.integer(std::stoll(key));
      else
        out_.text(key);
      write(value, below(place, key));
    }
    pickle_.set_items();
  }

  void write_weights() {
    pickle_.ordered_dict();
    pickle_.mark();
    for (const std::string& name : all_.order) {
      out_.text(name);
      out_.tensor(name, all_.tensors.at("state_dict/" + name));
    }
    pickle_.set_items();
  }

  void write_array(const json& array, const std::string& place) {
    pickle_.list();
    pickle_.mark();
    size_t index = 0;
    for (const json& value : array) write(value, below(place, std::to_string(index++)));
    pickle_.append_items();
  }

  TorchArchive& out_;
  PickleWriter& pickle_;
  const TorchValues& all_;
};

}  // namespace

void write_torch_values(const std::string& path, const TorchValues& values) {
  TorchArchive file(path);
  ValueWriter(file, values).write(values.values, "");
  file.write();
}

}  // namespace levin::core
