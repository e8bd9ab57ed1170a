#include "host/compose/given_twice.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Returns the items of a list option's value: none for null, two for "a,b" or ["a", "b"].
json items(const json& value) {
  const json parsed = value.is_string() ? scalar_from_text(value.get<std::string>()) : value;
  if (parsed.is_array()) return parsed;
  if (parsed.is_null()) return json::array();
  return value.is_string() ? json(split(value.get<std::string>(), ',')) : json::array({value});
}

[[noreturn]] void refuse_two_values(const Setting& first, const Setting& second, bool secret) {
  const auto value = [secret](const Setting& s) { return secret ? std::string("a secret") : show(s.value); };
  const std::string a = place_of(first), b = place_of(second);
  throw Error(ErrorKind::usage, (a == b ? a + " is given twice, " + value(first) + " and " + value(second)
                                        : a + " (" + value(first) + ") and " + b + " (" + value(second) +
                                              ") are one option, " + first.key) +
                                    ": leave one of them out");
}

}  // namespace

void gather_lists(std::vector<Setting>& settings, const KnownOptions& known) {
  const auto is_option = [&](const Setting& s) {
    return s.rank == rank_command_line && (s.key == "ckpt_path" || known.find(s.key) != nullptr);
  };
  std::vector<Setting> out;
  for (Setting& s : settings) {
    const auto first =
        std::find_if(out.begin(), out.end(), [&](const Setting& o) { return is_option(o) && o.key == s.key; });
    if (!is_option(s) || first == out.end()) {
      out.push_back(std::move(s));
      continue;
    }
    const KnownOption* option = known.find(s.key);
    if (option == nullptr || !option->list)
      refuse_two_values(*first, s, option != nullptr && (option->schema.flags & LEVIN_OPT_SECRET) != 0);
    json all = items(first->value);
    for (json& item : items(s.value)) all.push_back(std::move(item));
    first->value = std::move(all);
  }
  settings = std::move(out);
}

}  // namespace levin::core
