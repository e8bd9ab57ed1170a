#include "set_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "../common/data_folders.hpp"
#include "../common/gz_file.hpp"
#include "levin/error.hpp"

namespace cifar {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t max_file = uint64_t{1} << 28;  // the largest file of the sets has 154 MB
constexpr size_t block = 512;

struct Layout {
  Format format;
  const char *folder, *archive;
  std::vector<std::string> files;  // the first one must be there
};

std::vector<Layout> layouts(bool hundred) {
  if (hundred)
    return {{Format::binary,
             "cifar-100-binary",
             "cifar-100-binary.tar.gz",
             {"train.bin", "test.bin", "fine_label_names.txt", "coarse_label_names.txt"}},
            {Format::python, "cifar-100-python", "cifar-100-python.tar.gz", {"train", "test", "meta"}}};
  std::vector<std::string> binary, python;
  for (const char* number : {"1", "2", "3", "4", "5"}) {
    python.push_back(std::string("data_batch_") + number);
    binary.push_back(python.back() + ".bin");
  }
  binary.insert(binary.end(), {"test_batch.bin", "batches.meta.txt"});
  python.insert(python.end(), {"test_batch", "batches.meta"});
  return {{Format::binary, "cifar-10-batches-bin", "cifar-10-binary.tar.gz", binary},
          {Format::python, "cifar-10-batches-py", "cifar-10-python.tar.gz", python}};
}

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, path + " " + what);
}

std::vector<uint8_t> read_file(const fs::path& path) {
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (error || size > max_file) fail(path.string(), "is no file of CIFAR: its size is wrong");
  std::vector<uint8_t> bytes(size);
  std::ifstream in(path, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    fail(path.string(), "cannot be read");
  return bytes;
}

std::optional<SetFiles> in_folder(const fs::path& folder, const Layout& layout) {
  std::error_code error;
  SetFiles out{folder.string(), layout.format, {}};
  if (!fs::is_regular_file(folder / layout.files[0], error)) return std::nullopt;
  for (const std::string& name : layout.files)
    if (fs::exists(folder / name, error)) out.files[name] = read_file(folder / name);
  return out;
}

std::optional<SetFiles> in_archive(const fs::path& path, const Layout& layout) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  SetFiles out{path.string(), layout.format, read_tar(path.string(), layout.files)};
  if (out.files.count(layout.files[0]) == 0) return std::nullopt;
  return out;
}

// Returns the octal number of a header's field.
uint64_t octal(const uint8_t* field, size_t n, const std::string& path) {
  uint64_t value = 0;
  for (size_t i = 0; i < n && field[i] != 0; ++i) {
    if (field[i] == ' ') continue;
    if (field[i] < '0' || field[i] > '7') fail(path, "is no tar archive, or damaged: a header is invalid");
    value = value << 3 | static_cast<uint64_t>(field[i] - '0');
  }
  return value;
}

void check_header(const uint8_t* header, const std::string& path) {
  uint64_t sum = 0;
  for (size_t i = 0; i < block; ++i) sum += i >= 148 && i < 156 ? uint64_t{' '} : header[i];
  if (octal(header + 148, 8, path) != sum) fail(path, "is no tar archive, or damaged: a header has a wrong checksum");
}

}  // namespace

std::map<std::string, std::vector<uint8_t>> read_tar(const std::string& path, const std::vector<std::string>& wanted) {
  common::GzFile file(path);
  std::map<std::string, std::vector<uint8_t>> out;
  uint8_t header[block];
  std::vector<uint8_t> skipped(1 << 16);
  const auto read = [&](uint8_t* to, size_t n) {
    if (file.read(to, n) != n) fail(path, "is truncated; fetch it again");
  };
  for (;;) {
    read(header, block);
    if (std::all_of(header, header + block, [](uint8_t byte) { return byte == 0; })) break;
    check_header(header, path);
    const std::string name(reinterpret_cast<const char*>(header), strnlen(reinterpret_cast<const char*>(header), 100));
    const std::string base = fs::path(name).filename().string();
    const uint64_t size = octal(header + 124, 12, path);
    uint64_t left = (size + block - 1) / block * block;
    if (size > max_file) fail(path, "has a member of " + std::to_string(size >> 20) + " MiB, which no set has");
    const bool is_file = header[156] == '0' || header[156] == 0;
    if (is_file && std::find(wanted.begin(), wanted.end(), base) != wanted.end()) {
      std::vector<uint8_t>& bytes = out[base];
      bytes.resize(size);
      read(bytes.data(), size);
      left -= size;
    }
    for (size_t n; left > 0; left -= n) read(skipped.data(), n = std::min<uint64_t>(left, skipped.size()));
  }
  while (file.read(skipped.data(), skipped.size()) > 0) {
  }  // the rest is padding; this verifies the checksum
  file.at_end();
  return out;
}

SetFiles find_set(const std::string& dir, bool hundred) {
  std::vector<std::string> folders = {dir};
  if (dir.empty()) {
    folders.clear();
    for (const std::string& folder : common::data_folders())
      for (const char* below : {hundred ? "/cifar-100" : "/cifar-10", hundred ? "/cifar100" : "/cifar10", ""})
        folders.push_back(folder + below);
  }
  std::string tried;
  for (const std::string& folder : folders) {
    for (const Layout& layout : layouts(hundred)) {
      if (std::optional<SetFiles> found = in_folder(folder, layout)) return *found;
      if (std::optional<SetFiles> found = in_folder(fs::path(folder) / layout.folder, layout)) return *found;
    }
    for (const Layout& layout : layouts(hundred)) {
      if (std::optional<SetFiles> found = in_archive(folder, layout)) return *found;
      if (std::optional<SetFiles> found = in_archive(fs::path(folder) / layout.archive, layout)) return *found;
    }
    tried += (tried.empty() ? "" : ", ") + folder;
  }
  const std::string name = hundred ? "cifar-100" : "cifar-10";
  throw levin::Error(LEVIN_E_NOT_FOUND, "no files of " + name + " in: " + tried + "; fetch " + name +
                                            "-binary.tar.gz from https://www.cs.toronto.edu/~kriz/cifar.html, and give "
                                            "it or its folder by --data.dir");
}

}  // namespace cifar
