// A folder for the files of one test.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "levin_test_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string read(const std::filesystem::path& file) const { return bytes_of(path_ / file); }
  size_t entries() const {
    using Iterator = std::filesystem::directory_iterator;
    return static_cast<size_t>(std::distance(Iterator(path_), Iterator()));
  }
  // Makes the folders that the file is in. Returns its path.
  std::string write(const std::string& file, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary) << bytes;
    return path_ / file;
  }
  // Writes a script of the shell.
  void write_program(const std::string& file, const std::string& script) const {
    write(file, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(path_ / file, std::filesystem::perms::owner_all);
  }

 private:
  std::filesystem::path path_;
};
