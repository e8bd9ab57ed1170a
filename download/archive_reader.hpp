// Reads archives of files by libarchive: zip and tar, the latter also compressed.
#pragma once
#include <clocale>
#include <cstdint>
#include <memory>
#include <string>

#include "plugins/common/download/progress.hpp"

struct archive;
struct archive_entry;

namespace download {

// Returns true if a file of this name is an archive: a.zip, a.tar, a.tar.gz, a.tgz and the like.
bool is_archive(const std::string& name);

// libarchive turns the names of members into the encoding of the thread's locale.
class Utf8Names {
 public:
  Utf8Names();
  ~Utf8Names();
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  const locale_t utf8_, before_;
};

struct Member {
  enum class Kind { file, folder, other };  // other: links and devices
  std::string path;                         // below the archive's folder, without . and ..
  Kind kind = Kind::file;
};

struct Block {
  const void* data = nullptr;
  size_t size = 0;
  int64_t offset = 0;  // in the member
};

// Its functions throw levin::Error{LEVIN_E_INVALID} if the archive is damaged, has a member outside its folder, or is
// encrypted; the message follows the archive's name.
class ArchiveReader {
 public:
  explicit ArchiveReader(const std::string& path);
  // Returns false if there is no member more.
  bool next(Member& out);
  // Reads the next block of the member. Returns false at its end, whose offset is then in the block.
  bool read(Block& out);

 private:
  int check_header(int result) const;
  std::string path_of(archive_entry* entry) const;

  const Utf8Names names_;
  const std::unique_ptr<archive, int (*)(archive*)> archive_;
};

// Throws levin::Error{LEVIN_E_INVALID} for a damaged archive.
[[noreturn]] void refuse_damaged(const std::string& what);

// Reads a tar archive to its end, past its last member. Throws levin::Error{LEVIN_E_INVALID} if its compression has a
// wrong checksum, or the zeros are missing that end an archive; and Ended. Does nothing for zip, whose members have
// checksums.
void check_end(const std::string& path, const Progress& progress);

}  // namespace download
