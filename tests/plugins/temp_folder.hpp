// A folder of files for one test.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "levin_data_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TempFolder(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(const std::string& file = "") const {
    return file.empty() ? path_.string() : (path_ / file).string();
  }
  // Returns the file's path. Creates its folders.
  std::string write(const std::string& file, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path(file), std::ios::binary) << bytes;
    return path(file);
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
