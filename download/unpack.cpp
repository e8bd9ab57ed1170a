#include "unpack.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "archive_reader.hpp"
#include "levin/error.hpp"

namespace download {
namespace {

namespace fs = std::filesystem;

constexpr int of_the_machine[] = {ENOSPC, EDQUOT, EIO, EACCES, EPERM, EROFS, ENOMEM, EMFILE, ENFILE};

// Throws levin::Error. Most reasons are the archive's, such as a file in place of a folder.
[[noreturn]] void fail_to_write(const fs::path& path, const std::string& member, int error) {
  if (std::find(std::begin(of_the_machine), std::end(of_the_machine), error) == std::end(of_the_machine))
    refuse_damaged("the member '" + member + "' cannot be written: " + std::strerror(error));
  throw levin::Error(LEVIN_E_IO, "cannot write " + path.string() + ": " + std::strerror(error));
}

// The folder has what was unpacked alone, so that no link leads out of it.
class Unpacking {
 public:
  Unpacking(const std::string& archive, const std::string& folder, const Progress& progress)
      : reader_(archive), folder_(folder), progress_(progress) {
    make_folder(folder_, "");
  }

  // Returns the number of members that are left out.
  int64_t run() {
    int64_t left_out = 0;
    for (Member member; reader_.next(member);) {
      if (progress_.ends()) throw Ended{};
      if (is_of_macos(member.path)) continue;
      if (member.kind == Member::Kind::folder)
        make_folder(folder_ / member.path, member.path);
      else if (member.kind == Member::Kind::file)
        write(member.path);
      else
        ++left_out;
    }
    return left_out;
  }

 private:
  // What macOS adds to an archive.
  static bool is_of_macos(const fs::path& path) {
    const std::string name = path.filename().string();
    return *path.begin() == "__MACOSX" || name == ".DS_Store" || name.rfind("._", 0) == 0;
  }

  static void make_folder(const fs::path& path, const std::string& member) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail_to_write(path, member, error.value());
  }

  void write(const std::string& member) {
    const fs::path path = folder_ / member;
    make_folder(path.parent_path(), member);
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) fail_to_write(path, member, errno);
    const std::unique_ptr<const int, void (*)(const int*)> closed(&fd, [](const int* open_fd) { close(*open_fd); });
    Block block;
    int64_t end = 0;
    for (; reader_.read(block); end = std::max(end, block.offset + static_cast<int64_t>(block.size))) {
      if (progress_.ends()) throw Ended{};
      write(block, fd, path, member);
    }
    end = std::max(end, block.offset);  // a sparse file may end in a hole
    if (ftruncate(fd, static_cast<off_t>(end)) != 0) fail_to_write(path, member, errno);
  }
  static void write(const Block& block, int fd, const fs::path& path, const std::string& member) {
    const char* data = static_cast<const char*>(block.data);
    for (size_t done = 0; done < block.size;) {
      const ssize_t n =
          pwrite(fd, data + done, block.size - done, static_cast<off_t>(block.offset) + static_cast<off_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail_to_write(path, member, errno);
      done += static_cast<size_t>(n);
    }
  }

  ArchiveReader reader_;
  const fs::path folder_;
  const Progress& progress_;
};

}  // namespace

void unpack(const std::string& archive, const std::string& folder, const Progress& progress) {
  check_end(archive, progress);
  const int64_t left_out = Unpacking(archive, folder, progress).run();
  if (left_out > 0)
    progress.tell(archive + ": " + std::to_string(left_out) +
                  " of its members are links or devices, and were left out");
}

}  // namespace download
