// Option names of other releases. They are accepted with a warning, or refused with a message that says what to do.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/compose/setting.hpp"

namespace levin::core {

class LightningAliases {
 public:
  LightningAliases() = default;
  // table: {"old": {"now": "trainer.new", "with": {"trainer.other": 1}, "values": {"0": {"trainer.new": false},
  // "*": {}}, "instead": "what to do"}}, where each member is optional. `values` gives the settings that replace a
  // value, which is written as JSON in lower case ("*": any value). Any other value becomes the value of `now`, and the
  // settings `with` are added; without `now` it is refused. "still": true: the name still exists, and only the values
  // in `values` are old.
  explicit LightningAliases(const nlohmann::json& table);

  // Replaces settings of the trainer group that have old names, and adds a line to `warnings` for each. null has no
  // effect unless `values` names it. A name that the Trainer or a component serves (`served` returns true) is not old.
  // Throws Error{usage} for a value that has no replacement.
  void rename(std::vector<Setting>& settings, std::vector<std::string>& warnings,
              const std::function<bool(const std::string&)>& served) const;
  // The old names, each with its present key, or "" if there is none.
  std::map<std::string, std::string> names() const;

 private:
  struct Entry {
    std::string now, instead;
    nlohmann::json with, values;
    bool still = false;
  };
  static bool is_old(const Entry& entry, const Setting& s, bool is_served);
  static std::vector<Setting> replaced(const Entry& entry, const Setting& old, std::string& line);
  std::map<std::string, Entry> entries_;
};

}  // namespace levin::core
