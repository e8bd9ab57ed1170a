#include "text_file.hpp"

#include <fstream>

#include "levin/logger.hpp"

namespace levin::loggers {

void write_text(const std::filesystem::path& path, const std::string& text, std::ios::openmode mode) {
  std::ofstream out(path, std::ios::binary | mode);
  out << text;
  out.close();
  if (!out) throw Error(LEVIN_E_IO, "cannot write " + path.string() + ": is the disk full or the folder read-only?");
}

void replace_text(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path aside = path.string() + ".new";
  write_text(aside, text, std::ios::trunc);
  std::filesystem::rename(aside, path);
}

}  // namespace levin::loggers
