// Reading whole files, and writing them so that a crash leaves either the old or the new content.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

// Reads a regular file. A folder, FIFO or device is refused, so that reading never blocks.
std::string read_file(const std::filesystem::path& path, ErrorKind kind = ErrorKind::usage);

// Reads a regular file, or a pipe that the shell passes: --config <(...) becomes /dev/fd/63, or --config /dev/stdin.
std::string read_file_or_pipe(const std::filesystem::path& path, ErrorKind kind = ErrorKind::usage);

// What the user can do about a write that failed with this errno, as "; ..." to append to a message; "" if there is no
// advice.
std::string advice_on_write(int error);

// Writes path.tmp.<pid> in the same folder, fsyncs it, renames it over `path` and fsyncs the folder. Creates missing
// folders. A full disk is Error{run}, whatever the kind of other failures.
void write_file_durable(const std::filesystem::path& path, std::string_view bytes, ErrorKind kind = ErrorKind::run);

// Removes what processes that were killed within write_file_durable() of this path left. Nobody may be writing it.
void remove_unfinished(const std::filesystem::path& path);

// Makes durable what a file has so far, and its name in its folder. false: it cannot be.
bool sync_file(const std::filesystem::path& path);

// The running program's own file, with links resolved.
std::filesystem::path exe_path();

// Makes a path that the user gave absolute: a leading ~/ is the home folder, and any other relative path is relative to
// the current folder.
std::filesystem::path absolute_path(const std::string& path);

}  // namespace levin::core
