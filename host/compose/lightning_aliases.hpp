// Option names of other releases. They are accepted with a warning, or rejected with a message that says what to use
// instead.
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
  // table: {"old": {"now": "trainer.new", "with": {"trainer.other": 1}, "values": {"0": {"trainer.new": false}, "*":
  // {}}, "instead": "what to do"}}. Every member is optional. `values` maps an old value, written as JSON in lower case
  // ("*" = any value), to the settings that replace it. Any other value becomes the value of `now`, and the settings in
  // `with` are added; without `now` the value is rejected. "still": true means that the name still exists and only the
  // values in `values` are old.
  explicit LightningAliases(const nlohmann::json& table);

  // Replaces settings of the trainer group that have old names, and adds a line to `warnings` for each. null has no
  // effect unless `values` has it. A name is not old if `served` returns true, because the Trainer or a component has
  // it. Throws Error{usage} for a value without a replacement.
  void rename(std::vector<Setting>& settings, std::vector<std::string>& warnings,
              const std::function<bool(const std::string&)>& served) const;
  // Returns the old names, each with its present key, or "" if there is none.
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
