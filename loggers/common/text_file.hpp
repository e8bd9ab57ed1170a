// Text files in a run's folder. They throw levin::Error, which names the file.
#pragma once
#include <filesystem>
#include <ios>
#include <string>

namespace levin::loggers {

void write_text(const std::filesystem::path& path, const std::string& text, std::ios::openmode mode);

// A reader sees the old file or the new one, never half of it.
void replace_text(const std::filesystem::path& path, const std::string& text);

}  // namespace levin::loggers
