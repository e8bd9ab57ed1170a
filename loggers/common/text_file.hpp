// Text files in a run's folder. All functions throw levin::Error that names the file.
#pragma once
#include <filesystem>
#include <ios>
#include <string>

namespace levin::loggers {

// Reads a regular file. Anything else, such as a pipe or a folder, is refused.
std::string read_text(const std::filesystem::path& path);

void write_text(const std::filesystem::path& path, const std::string& text, std::ios::openmode mode);

// Replaces a file in one step, so that a reader sees either the old file or the new one.
void replace_text(const std::filesystem::path& path, const std::string& text);

// Makes durable what the file has so far, and its name in its folder: a checkpoint is about to count on it. A file that
// does not exist has nothing to lose.
void sync_file(const std::filesystem::path& path);

}  // namespace levin::loggers
