#include "local_copy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "archive_reader.hpp"
#include "content.hpp"
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

bool is_unpacked(const Address& address) { return !address.subdirectory.empty() || is_archive(address.file()); }

std::string folder_of(const std::string& copy) { return copy + ".unpacked"; }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  if (error) throw levin::Error(LEVIN_E_IO, "cannot read " + folder.string() + ": " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

// Returns the only file or folder, beside hidden ones, or the folder itself.
fs::path whole_of(const fs::path& folder) {
  std::vector<std::string> names = names_in(folder);
  names.erase(std::remove_if(names.begin(), names.end(), [](const std::string& name) { return name[0] == '.'; }),
              names.end());
  return names.size() == 1 ? folder / names[0] : folder;
}

// Returns the file or folder that the address names in its unpacked archive.
std::string part_of(const Address& address, const fs::path& folder) {
  const fs::path whole = whole_of(folder), below = fs::path(address.subdirectory).lexically_normal();
  if (below.empty() || below == ".") return whole.string();
  for (const fs::path& start : {folder, whole})
    if (!below.is_absolute() && *below.begin() != ".." && is_there(start / below)) return (start / below).string();
  const std::vector<std::string> names = names_in(folder);
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

void tell_known(const Address& address, const std::string& path, const Progress& progress) {
  progress.tell("using " + path + ", the copy of " + address.shown());
}

// Returns the folder of the unpacked archive.
std::string unpacked(const Address& address, const std::string& copy, const Progress& progress) {
  const std::string folder = folder_of(copy), archive = copy + ".archive";
  if (is_there(folder)) {
    tell_known(address, folder, progress);
    return folder;
  }
  const Lock lock(folder, address.shown(), progress);
  if (!is_there(folder)) {  // else another process has made it
    download(address, archive, progress, [&](const std::string& path) { return problem_of(address, path); });
    progress.tell("unpacking " + archive);
    unpack_whole(address, archive, folder, progress);
  }
  remove(archive);
  return folder;
}

}  // namespace

std::string place_of_copy(const std::string& text) {
  const Address address(text);
  const std::string copy = download_folder() + "/" + address.path_of_copy();
  return is_unpacked(address) ? folder_of(copy) : copy;
}

std::string local_copy(const std::string& text, const Progress& progress) {
  const Address address(text);
  const std::string copy = download_folder() + "/" + address.path_of_copy(),
                    array = address.array.empty() ? "" : ":" + address.array;
  if (is_unpacked(address)) return part_of(address, unpacked(address, copy, progress)) + array;
  if (is_there(copy)) tell_known(address, copy, progress);
  download(address, copy, progress, [&](const std::string& path) { return problem_of(address, path); });
  tell_archive(address, copy, progress);
  return copy + array;
}

}  // namespace download
