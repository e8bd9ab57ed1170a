// Calls of the file system that are repeated if a signal interrupts them (EINTR), as on a network file system. Includes
// no header of Levin, because the core uses it too (scripts/check_layout).
#pragma once
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#pragma GCC visibility push(hidden)
namespace levin {

// call returns less than 0 and sets errno if it fails. Not for `close`, which closes the file even if interrupted.
template <class Call>
auto uninterrupted(const Call& call) {
  while (true) {
    const auto result = call();
    if (!(result < 0) || errno != EINTR) return result;
  }
}

// call sets `error` if it fails, as std::filesystem does.
template <class Call>
void uninterrupted(std::error_code& error, const Call& call) {
  do {
    error.clear();
    call();
  } while (error == std::errc::interrupted);
}

// Returns the entries of a folder, in any order. If reading fails, `error` is set and the list may be incomplete.
inline std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& folder,
                                                                std::error_code& error) {
  std::vector<std::filesystem::directory_entry> all;
  std::filesystem::directory_iterator at;
  uninterrupted(error, [&] { at = std::filesystem::directory_iterator(folder, error); });
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) all.push_back(*at);
  return all;
}

// Removes a file. A missing file is no error.
inline std::error_code remove_file(const std::filesystem::path& file) {
  std::error_code error;
  uninterrupted(error, [&] { std::filesystem::remove(file, error); });
  return error;
}

}  // namespace levin
#pragma GCC visibility pop
