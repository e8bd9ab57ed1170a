// The libraries of jobs on a worker: which are allowed, and where they are.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tasks/nats/job_info.hpp"
#include "tasks/nats/job_stream.hpp"
#include "tasks/signing/keys.hpp"

namespace levin::core::tasks {

// Returns the last part of a path that somebody else has sent, or `other` if it could not be the name of a file here.
std::string plain_file_name(const std::string& name, const char* other);

class Libraries {
 public:
  // allowed: "any", SHA-256 sums, files and folders of libraries, and key:FILE with public keys. cache: where libraries
  // from streams are kept.
  // readers: a group that may read them too. Throws Error{usage} if one of `allowed` is none of them.
  Libraries(const std::vector<std::string>& allowed, std::filesystem::path cache,
            std::optional<gid_t> readers = std::nullopt);
  struct Wanted {
    std::string sha256, name, signature;  // the text of a signature, or ""
  };
  // Throws Error{plugin} with the reason if the library may not run.
  void require_allowed(const Wanted& library) const;
  // Returns a file with the content of this sum that may be loaded, or nullopt if `fetch`, which returns the content,
  // does. Throws Error{plugin} with the reason if it may not run here.
  std::optional<std::string> find(const Wanted& library, const std::function<std::optional<std::string>()>& fetch);

 private:
  std::string find_allowed(const std::string& sha256) const;
  std::string why_not_signed(const Wanted& library) const;
  std::mutex mutex_;
  bool any_ = false;
  std::vector<std::string> sums_;
  std::vector<Key> keys_;
  std::vector<std::filesystem::path> places_;
  const std::filesystem::path cache_;
  const std::optional<gid_t> readers_;
};

}  // namespace levin::core::tasks
