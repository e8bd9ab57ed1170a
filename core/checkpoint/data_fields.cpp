#include "core/checkpoint/data_fields.hpp"

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using Json = nlohmann::json;

// Names may be any bytes, but JSON holds UTF-8 only: other names are stored as lists of their bytes.
Json to_json(const char* name) {
  const std::string text = name ? name : "";
  if (is_utf8(text)) return text;
  return std::vector<int>(reinterpret_cast<const unsigned char*>(name),
                          reinterpret_cast<const unsigned char*>(name) + text.size());
}

std::string name_from_json(const Json& saved) {
  if (saved.is_string()) return saved.get<std::string>();
  const auto bytes = saved.get<std::vector<uint8_t>>();
  return {bytes.begin(), bytes.end()};
}

Json to_json(const levin_field& field) {
  Json out = {{"name", to_json(field.name)},
              {"dtype", {field.dtype.code, field.dtype.bits, field.dtype.lanes}},
              {"shape", std::vector<int64_t>(field.shape, field.shape + field.ndim)},
              {"role", field.role},
              {"classes", field.classes}};
  for (int64_t c = 0; field.class_names && c < field.classes; ++c)
    out["class_names"].push_back(to_json(field.class_names[c]));
  return out;
}

FieldInfo field_from_json(const Json& saved) {
  FieldInfo out;
  out.name = name_from_json(saved.at("name"));
  const auto type = saved.at("dtype").get<std::vector<uint16_t>>();
  out.shape = saved.at("shape").get<std::vector<int64_t>>();
  out.role = saved.at("role").get<uint32_t>();
  out.classes = saved.at("classes").get<int64_t>();
  for (const Json& name : saved.value("class_names", Json::array())) out.class_names.push_back(name_from_json(name));
  const auto names = static_cast<int64_t>(out.class_names.size());
  if (type.size() != 3 || out.shape.size() > 6 || (names != 0 && names != out.classes))
    throw Error(ErrorCode::checkpoint_damaged, "field '" + out.name + "' has a description that no run writes");
  out.dtype.code = static_cast<uint8_t>(type[0]);
  out.dtype.bits = static_cast<uint8_t>(type[1]);
  out.dtype.lanes = type[2];
  return out;
}

}  // namespace

Json data_to_json(const levin_data_info* info) {
  if (!info) return nullptr;
  Json out = {{"rows", std::vector<int64_t>(info->rows, info->rows + LEVIN_SPLITS)}, {"fields", Json::array()}};
  for (uint32_t i = 0; i < info->n_fields; ++i)
    out["fields"].push_back(to_json(*LEVIN_AT(levin_field, info->fields, info->field_size, i)));
  return out;
}

// The description is validated like a data module's, because the file may come from anywhere.
SavedDataInfo::SavedDataInfo(const Json& saved, const std::string& where) try : known_(!saved.is_null()) {
  if (!known_) return;
  std::vector<FieldInfo> fields;
  for (const Json& field : saved.at("fields")) fields.push_back(field_from_json(field));
  const auto rows = saved.at("rows").get<std::vector<int64_t>>();
  const RawFields unchecked(fields);
  levin_split split{};
  split.size = sizeof split;
  unchecked.show(split);
  fields_ = split_info_from(split, "its data").fields;
  raw_fields_.emplace(fields_);
  raw_.size = sizeof raw_;
  raw_fields_->show(raw_);
  for (size_t i = 0; i < LEVIN_SPLITS; ++i) raw_.rows[i] = rows.at(i);
} catch (const std::exception& e) {
  throw Error(ErrorCode::checkpoint_damaged, where + ": " + brief_json_error(e.what()));
}

}  // namespace levin::core
