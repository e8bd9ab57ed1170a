// Text files in a run folder. On failure all functions throw levin::Error that names the file.
#pragma once
#include <filesystem>
#include <ios>
#include <string>

namespace levin::loggers {

// Reads a regular file. Throws for anything else, such as a pipe or a folder.
std::string read_text(const std::filesystem::path& path);

void write_text(const std::filesystem::path& path, const std::string& text, std::ios::openmode mode);

// Replaces a file atomically: a reader sees either the old file or the new one.
void replace_text(const std::filesystem::path& path, const std::string& text);

// Removes a file. A missing file is no error.
void remove_text(const std::filesystem::path& path);

}  // namespace levin::loggers
