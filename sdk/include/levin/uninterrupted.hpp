// Calls of the file system that are made again where a signal interrupts them (EINTR), as on a disk that another
// computer serves. Includes nothing of ours: the core reads this header too (scripts/check_layout).
#pragma once
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

// call: returns less than 0 where it fails, with errno. Not for `close`, which closes all the same.
template <class Call>
auto uninterrupted(const Call& call) {
  while (true) {
    const auto result = call();
    if (!(result < 0) || errno != EINTR) return result;
  }
}

// call: sets `error` where it fails, as std::filesystem does.
template <class Call>
void uninterrupted(std::error_code& error, const Call& call) {
  do {
    error.clear();
    call();
  } while (error == std::errc::interrupted);
}

// What a folder has, in any order. Ends early where it cannot be read: then `error` says why.
inline std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& folder,
                                                                std::error_code& error) {
  std::vector<std::filesystem::directory_entry> all;
  std::filesystem::directory_iterator at;
  uninterrupted(error, [&] { at = std::filesystem::directory_iterator(folder, error); });
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) all.push_back(*at);
  return all;
}

// Removes a file. That it is not there is no error.
inline std::error_code remove_file(const std::filesystem::path& file) {
  std::error_code error;
  uninterrupted(error, [&] { std::filesystem::remove(file, error); });
  return error;
}

}  // namespace levin
#pragma GCC visibility pop
