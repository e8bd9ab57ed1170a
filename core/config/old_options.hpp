// Names that options had in other releases: accepted with a word about the new name, or refused with the new way.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/config/setting.hpp"

namespace levin::core {

class OldOptions {
 public:
  OldOptions() = default;
  // {"old": {"now": "trainer.new"}, "older": {"instead": "what to do"}}
  explicit OldOptions(const nlohmann::json& table);

  // Settings of the trainer group under old names get their new key; each adds a line to `warnings`. Throws
  // Error{usage} for those that have no single new name.
  void rename(std::vector<Setting>& settings, std::vector<std::string>& warnings) const;
  std::vector<std::string> names() const;

 private:
  struct Entry {
    std::string now, instead;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace levin::core
