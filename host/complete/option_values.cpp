#include "host/complete/option_values.hpp"

#include "core/base/text.hpp"

namespace levin::core {

void add_values_of(const OptionSchema& schema, Completion& out) {
  for (const std::string& choice : schema.choices) out.add(choice);
  if (schema.type == LEVIN_T_BOOL) {
    out.add("true");
    out.add("false");
  }
  if (schema.type != LEVIN_T_PATH) return;
  const bool folder = schema.name == "dir" || ends_with(schema.name, "_dir") || starts_with(schema.help, "folder");
  out.paths = folder ? Completion::Paths::folders : Completion::Paths::files;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace levin::core
