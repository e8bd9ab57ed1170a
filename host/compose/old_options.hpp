// Names that options had in other releases: accepted with a word about the new way, or refused with it.
#pragma once
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/compose/setting.hpp"

namespace levin::core {

class OldOptions {
 public:
  OldOptions() = default;
  // {"old": {"now": "trainer.new", "with": {"trainer.other": 1}, "values": {"0": {"trainer.new": false}, "*": {}},
  // "instead": "what to do"}}, each member optional. `values` names the settings that stand for a value, written as
  // JSON in small letters ("*": any); other values go to `now`, together with `with`; without `now` they are refused.
  // "still": true: the name is not old, only these values of it.
  explicit OldOptions(const nlohmann::json& table);

  // Replaces settings of the trainer group under old names; each adds a line to `warnings`. A null that `values` does
  // not name changes nothing. Names that are `served`, by the Trainer or a component, are not old. Throws Error{usage}
  // for a value that has no new form.
  void rename(std::vector<Setting>& settings, std::vector<std::string>& warnings,
              const std::function<bool(const std::string&)>& served) const;
  // The old names, each with the key that it is now; "": there is none.
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
