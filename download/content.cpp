#include "content.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace download {
namespace {

std::string begin_of(const std::string& path, size_t size) {
  std::string begin(size, 0);
  std::ifstream in(path, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(size));
  begin.resize(static_cast<size_t>(in.gcount()));
  return begin;
}

}  // namespace

std::string problem_of(const Address& address, const std::string& path) {
  std::string begin = begin_of(path, 1024);
  if (begin.empty()) return "is empty";
  begin.erase(0, begin.find_first_not_of(" \t\r\n"));
  std::transform(begin.begin(), begin.end(), begin.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool is_page = begin.rfind("<!doctype html", 0) == 0 || begin.rfind("<html", 0) == 0;
  return is_page && address.file().find(".htm") == std::string::npos ? "is an HTML page" : "";
}

void tell_archive(const Address& address, const std::string& path, const Progress& progress) {
  const std::string begin = begin_of(path, 512);
  const bool is_compressed = begin.rfind("PK\3\4", 0) == 0 || begin.rfind("\x1f\x8b", 0) == 0;
  if (address.file().find('.') == std::string::npos && (is_compressed || begin.find("ustar") == 257))
    progress.tell(address.shown() + " is an archive, and its name has no ending: #subdirectory=. behind it unpacks it");
}

}  // namespace download
