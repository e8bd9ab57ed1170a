// What child processes found out about plugin files, kept between runs in the user's cache folder.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace levin::core {

struct Verdict {
  std::string description;  // JSON text; empty if there is a problem
  std::string problem;
};

class VerdictCache {
 public:
  // With an empty path nothing is kept.
  explicit VerdictCache(std::filesystem::path file) : file_(std::move(file)) {}

  std::optional<Verdict> get(const std::string& key) const;
  // A cache that cannot be written is no error, because the next run asks again.
  void put(const std::string& key, const Verdict& verdict) const;

 private:
  std::filesystem::path file_;
};

// $XDG_CACHE_HOME/levin/plugins.json, else ~/.cache/levin/plugins.json; empty under elevated rights or without a home
// folder.
std::filesystem::path verdict_cache_file();

}  // namespace levin::core
