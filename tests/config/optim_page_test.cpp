// docs/optimizers.md has a section for every optimizer and schedule, whose content matches the tables.
#include <set>

#include "catch.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "core/config/option.hpp"

using namespace levin::core;

namespace {

std::string default_of(const OptionSchema& option) {
  return option.flags & LEVIN_OPT_REQUIRED ? "required" : "`" + option.deflt.dump() + "`";
}

std::string section(const OptimSpec& spec) {
  std::string out = "### `" + spec.id + "`\n\n" + spec.summary + " Also called `" + spec.class_name + "`.\n";
  if (spec.options.empty()) return out + "It has no options.\n";
  out += "\n| option | values | default | |\n| --- | --- | --- | --- |\n";
  for (const OptionSchema& option : spec.options)
    out += "| `" + option.name + "` | " + describe_type(option) + " | " + default_of(option) + " | " + option.help +
           " |\n";
  return out;
}

std::string page_of(const std::vector<OptimSpec>& table, const std::string& title) {
  std::string out = "## " + title + "\n";
  for (const OptimSpec& spec : table) out += "\n" + section(spec);
  return out;
}

}  // namespace

TEST_CASE("docs/optimizers.md ends with the tables of optimizers and schedules") {
  const std::string page = read_file(LEVIN_TEST_DOCS "/optimizers.md");
  const std::string wanted = page_of(optimizer_table(), "Optimizers") + "\n" + page_of(schedule_table(), "Schedules");
  INFO("the page has to end with:\n" << wanted);
  CHECK(ends_with(page, "\n" + wanted));
}

TEST_CASE("no two optimizers, and no two schedules, have one name") {
  for (const auto* table : {&optimizer_table(), &schedule_table()}) {
    std::set<std::string> names;
    for (const OptimSpec& spec : *table) {
      CHECK(names.insert(spec.id).second);
      CHECK(names.insert(spec.class_name).second);
      CHECK(find_spec(*table, spec.id) == &spec);
      CHECK(find_spec(*table, spec.class_name) == &spec);
    }
    CHECK(find_spec(*table, "nothing") == nullptr);
  }
}
