// The description embedded in a plugin file, and its note.
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/schema.hpp"
#include "core/plugin/checks/description_checks.hpp"
#include "tests/fuzz/target.hpp"

using namespace levin::core;

LEVIN_FUZZ_TARGET(description) try {
  ElfFile elf;
  elf.description = levin::fuzz::text_of(data, size);
  const PluginSchema schema = plugin_schema_from_json(parse_json(elf.description, "description"));
  elf.note.emplace_back("id", schema.id);
  if (to_json(embedded_description(elf, "libx.so")) != to_json(schema)) std::abort();
} catch (const Error&) {
}
