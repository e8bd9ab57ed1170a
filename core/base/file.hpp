// Reads whole files, and writes them so that a crash leaves either the old or the new content.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace levin::core {

// Reads a regular file. Throws Error{code} for a folder, FIFO or device, so that reading never blocks.
std::string read_file(const std::filesystem::path& path, ErrorCode code = ErrorCode::file_not_read);

// Reads a regular file, or a pipe that the shell passes: --config <(...) becomes /dev/fd/63, or --config /dev/stdin.
// Returns no more than its first `most` bytes.
std::string read_file_or_pipe(const std::filesystem::path& path, size_t most);

// Returns the code of a write that failed with this errno: disk_full, or `otherwise`.
ErrorCode code_of_write(int error, ErrorCode otherwise = ErrorCode::file_not_written);

// Returns advice on a write that failed with this errno, as "; ..." to append to a message, or "".
std::string advice_on_write(int error);

// Writes path.tmp.<pid> in the same folder, fsyncs it, renames it over `path` and fsyncs the folder. Creates missing
// folders. Throws Error{disk_full} for a full disk, and Error{code} for other failures.
void write_file_durable(const std::filesystem::path& path, std::string_view bytes,
                        ErrorCode code = ErrorCode::file_not_written);

// Returns the path of a file that a command writes for the user: absolute, with links followed. Throws
// Error{output_exists} for a file that exists, unless `force`, and Error{option_value_invalid} for a folder, a device
// or a pipe, which write_file_durable() would replace. what: begins the message, such as "--output".
std::filesystem::path output_file(const std::string& path, bool force, const std::string& what);

// Removes temporary files of processes that were killed in write_file_durable() of this path. No process may be writing
// the path meanwhile.
void remove_unfinished(const std::filesystem::path& path);

// Makes the file's content and its name in its folder durable (fsync). Returns false if that fails.
bool sync_file(const std::filesystem::path& path);

// Returns the SHA-256 of the file's content as 64 lower-case hexadecimal digits. Throws Error{file_not_read}.
std::string sha256_file(const std::string& path);  // sha256.cpp

// Returns the path of the running program, with links resolved.
std::filesystem::path exe_path();

// Returns the folder of the programs that the host starts and of the libraries that the engine loads on demand:
// libexec/levin beside bin. `own` is the path of a program of the installation.
std::filesystem::path libexec_dir(const std::filesystem::path& own = exe_path());

// Returns the path of a library that the engine loads on demand, "liblevin_NAME.so": in libexec_dir(), or beside
// a program that is not installed. The file may not exist.
std::filesystem::path engine_library(const std::string& name);

// Makes a path that the user gave absolute: a leading ~/ is the home folder, and any other relative path is relative to
// the current folder.
std::filesystem::path absolute_path(const std::string& path);

}  // namespace levin::core
