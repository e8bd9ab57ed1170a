// Folders of small IDX files for the tests of the mnist plugin.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <vector>

#include "temp_folder.hpp"

class IdxFolder {
 public:
  explicit IdxFolder(const std::string& name = "set") : path_(root_ / name) {
    std::filesystem::create_directories(path_);
  }

  std::string path(const std::string& file = "") const {
    return file.empty() ? path_.string() : (path_ / file).string();
  }
  static std::string bytes(const std::vector<uint32_t>& shape, const std::string& data, char type = 8) {
    std::string out{0, 0, type, static_cast<char>(shape.size())};
    for (uint32_t size : shape)
      for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(size >> shift & 0xff);
    return out + data;
  }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(path(file), std::ios::binary) << bytes;
  }
  void write_gz(const std::string& file, const std::string& bytes) const {
    gzFile out = gzopen(path(file).c_str(), "wb");
    gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(out);
  }

  // n images of 2 x 3 pixels with the value 10 * row and the labels 0 1 2 0 1 2 ...; n / 2 test rows.
  void write_set(uint32_t n) const {
    const auto images = [](uint32_t rows) {
      std::string data;
      for (uint32_t i = 0; i < rows; ++i) data += std::string(6, static_cast<char>(10 * i));
      return IdxFolder::bytes({rows, 2, 3}, data);
    };
    const auto labels = [](uint32_t rows) {
      std::string data;
      for (uint32_t i = 0; i < rows; ++i) data += static_cast<char>(i % 3);
      return IdxFolder::bytes({rows}, data);
    };
    write_gz("train-images-idx3-ubyte.gz", images(n));
    write_gz("train-labels-idx1-ubyte.gz", labels(n));
    write("t10k-images-idx3-ubyte", images(n / 2));
    write("t10k-labels-idx1-ubyte", labels(n / 2));
  }

 private:
  TempFolder root_;
  std::filesystem::path path_;
};
