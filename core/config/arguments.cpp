#include "core/config/arguments.hpp"

namespace levin::core {

Arguments::Arguments(const std::vector<OptionSchema>& schema, const nlohmann::json& options) : json_(options.dump()) {
  texts_.reserve(schema.size());  // values_ points into texts_ and lists_, so they must not reallocate
  lists_.reserve(schema.size());
  for (const OptionSchema& option : schema)
    values_.push_back(value_of(option, options.contains(option.name) ? options[option.name] : option.deflt));
  raw_.size = sizeof raw_;
  raw_.n = static_cast<uint32_t>(values_.size());
  raw_.values = values_.data();
  raw_.json = json_.c_str();
}

levin_value Arguments::value_of(const OptionSchema& option, const nlohmann::json& value) {
  levin_value out{};
  out.type = option.type;
  if (value.is_null() && (option.type != LEVIN_T_JSON || (option.flags & LEVIN_OPT_NULLABLE))) {
    out.type = LEVIN_T_NONE;
    return out;
  }
  switch (option.type) {
    case LEVIN_T_BOOL:
      out.v.i = value.get<bool>();
      return out;
    case LEVIN_T_INT:
      out.v.i = value.get<int64_t>();
      return out;
    case LEVIN_T_FLOAT:
      out.v.f = value.get<double>();
      return out;
    case LEVIN_T_INTS:
      lists_.push_back(value.get<std::vector<int64_t>>());
      out.v.p = lists_.back().data();
      out.len = static_cast<uint32_t>(lists_.back().size());
      return out;
    case LEVIN_T_JSON:
      texts_.push_back(value.dump());
      break;
    default:
      texts_.push_back(value.get<std::string>());
      break;
  }
  out.v.s = texts_.back().c_str();
  out.len = static_cast<uint32_t>(texts_.back().size());
  return out;
}

}  // namespace levin::core
