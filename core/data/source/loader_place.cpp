#include "core/data/source/loader_place.hpp"

namespace levin::core {

std::string LoaderPlace::text() const {
  const std::string name = std::string("split ") + split_name(split);
  return loader == 0 ? name : name + ", loader " + std::to_string(loader);
}

std::string LoaderPlace::field_text(size_t field) const {
  const std::string& name = info.fields[field].name;
  return text() + ", field " + (name.empty() ? std::to_string(field) : "'" + name + "'");
}

Error LoaderPlace::error(ErrorCode code, const std::string& call, const std::string& what) const {
  return Error(code, data.plugin() + ": " + data.instance() + "." + call + ": " + what);
}

}  // namespace levin::core
