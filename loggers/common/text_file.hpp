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

// That it is not there is no error.
void remove_text(const std::filesystem::path& path);

}  // namespace levin::loggers
