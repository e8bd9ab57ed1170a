// Files of the host: read whole, written so that a crash leaves the old or the new content and nothing else.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

// Regular files only: a folder, FIFO or device is refused rather than waited for.
std::string read_file(const std::filesystem::path& path, ErrorKind kind = ErrorKind::usage);

// The same, and what the shell hands over in a pipe: --config <(...) is /dev/fd/63, --config /dev/stdin.
std::string read_file_or_pipe(const std::filesystem::path& path, ErrorKind kind = ErrorKind::usage);

// "; ..." what to do where a write failed with this errno; "": nothing is known.
std::string advice_on_write(int error);

// Writes path.tmp.<pid> beside it, fsyncs, renames over it, fsyncs the folder. Makes missing folders.
void write_file_durable(const std::filesystem::path& path, std::string_view bytes, ErrorKind kind = ErrorKind::run);

// The running program's own file, links resolved.
std::filesystem::path exe_path();

// The user's path as an absolute one: a leading ~/ is the home folder, the rest is relative to the current folder.
std::filesystem::path absolute_path(const std::string& path);

}  // namespace levin::core
