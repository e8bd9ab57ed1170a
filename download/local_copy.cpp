#include "local_copy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "archive_reader.hpp"
#include "levin/error.hpp"
#include "plugins/common/download/lock.hpp"
#include "unpack.hpp"

namespace download {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw levin::Error(LEVIN_E_IO, "cannot write " + path + ": " + std::strerror(error));
}

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

void remove(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  if (error) throw levin::Error(LEVIN_E_IO, "cannot read " + folder.string() + ": " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

// Returns the file or folder that the address names in its unpacked archive.
std::string part_of(const Address& address, const fs::path& folder) {
  const std::vector<std::string> names = names_in(folder);
  const fs::path whole = names.size() == 1 ? folder / names[0] : folder;
  if (address.subdirectory.empty()) return whole.string();
  const fs::path below = fs::path(address.subdirectory).lexically_normal();
  for (const fs::path& start : {folder, whole})
    if (!below.is_absolute() && *below.begin() != ".." && is_there(start / below)) return (start / below).string();
  std::string text;
  for (size_t i = 0; i < names.size() && i < 5; ++i) text += (i > 0 ? ", " : "") + names[i];
  throw levin::Error(LEVIN_E_NOT_FOUND, address.shown() + " has no '" + address.subdirectory + "', which its address " +
                                            "names behind #subdirectory=; it has " + text +
                                            (names.size() > 5 ? ", ..." : ""));
}

// What was unpacked is on the disk before its name says that it is whole.
void sync_all(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail_to_write(folder, errno);
  const int error = syncfs(fd) == 0 ? 0 : errno;
  close(fd);
  if (error != 0) fail_to_write(folder, error);
}

// Unpacks into a folder of another name until all is there. Keeps the archive if the machine is the cause of a failure,
// such as a full disk.
void unpack_whole(const Address& address, const std::string& archive, const std::string& folder,
                  const Progress& progress) {
  const std::string part = folder + ".part";
  remove(part);  // of a process that was killed
  try {
    unpack(archive, part, progress);
    if (names_in(part).empty()) throw levin::Error(LEVIN_E_INVALID, "is an archive without files");
    sync_all(part);
    if (rename(part.c_str(), folder.c_str()) != 0) fail_to_write(folder, errno);
  } catch (const levin::Error& e) {
    remove(part);
    if (e.status() != LEVIN_E_INVALID) throw;
    remove(archive);
    throw levin::Error(LEVIN_E_IO, address.shown() + " " + e.what() + "; the file was not kept");
  } catch (const Ended&) {
    remove(part);
    throw;
  }
}

// Returns the folder of the unpacked archive.
std::string unpacked(const Address& address, const std::string& copy, const Progress& progress) {
  const std::string folder = copy + ".unpacked", archive = copy + ".archive";
  if (is_there(folder)) return folder;
  const Lock lock(folder + ".lock", address.shown(), progress);
  if (!is_there(folder)) {  // else another process has made it
    download(address, archive, progress, [](const std::string&) { return ""; });
    progress.tell("unpacking " + archive);
    unpack_whole(address, archive, folder, progress);
  }
  remove(archive);
  return folder;
}

}  // namespace

std::string local_copy(const std::string& text, const Progress& progress) {
  Address address(text);
  const std::string array = address.cut_array(), copy = download_folder() + "/" + address.unique_name();
  if (is_archive(address.file())) return part_of(address, unpacked(address, copy, progress)) + array;
  if (!address.subdirectory.empty())
    throw levin::Error(LEVIN_E_INVALID, address.shown() + ": subdirectory= is for archives, and '" + address.file() +
                                            "' has the ending of none");
  download(address, copy, progress, [](const std::string&) { return ""; });
  return copy + array;
}

}  // namespace download
