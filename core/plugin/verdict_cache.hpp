// The verdicts of child processes on plugin files, kept between runs in the user's cache folder.
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
  // An empty path disables the cache.
  explicit VerdictCache(std::filesystem::path file) : file_(std::move(file)) {}

  std::optional<Verdict> get(const std::string& key) const;
  // A cache that cannot be written is not an error: the next run probes again.
  void put(const std::string& key, const Verdict& verdict) const;

 private:
  std::filesystem::path file_;
};

// Returns $XDG_CACHE_HOME/levin/plugins.json, else ~/.cache/levin/plugins.json; empty under elevated rights or without
// a home folder.
std::filesystem::path verdict_cache_file();

}  // namespace levin::core
