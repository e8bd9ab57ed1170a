// Finds and reads the files of CIFAR-10 and CIFAR-100, in a folder or in the archive as it is downloaded.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cifar {

enum class Format { binary, python };

struct SetFiles {
  std::string where;  // the folder or archive
  Format format = Format::binary;
  std::map<std::string, std::vector<uint8_t>> files;  // by name, without folders

  std::string path(const std::string& name) const { return where + "/" + name; }  // for messages
};

// hundred: CIFAR-100. dir: the folder of the files, a folder that contains the unpacked or packed archive, or the
// archive (.tar.gz); empty = the usual places. Throws levin::Error that lists the places that were tried.
SetFiles find_set(const std::string& dir, bool hundred);

// Reads the wanted files of a tar archive, plain or compressed by gzip. Nothing is unpacked to the disk.
std::map<std::string, std::vector<uint8_t>> read_tar(const std::string& path, const std::vector<std::string>& wanted);

}  // namespace cifar
