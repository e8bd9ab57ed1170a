#include "core/weights/zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace levin::core {
namespace {

constexpr uint32_t member_mark = 0x04034b50, directory_mark = 0x02014b50, end_mark = 0x06054b50,
                   end64_mark = 0x06064b50, locator_mark = 0x07064b50;
constexpr uint64_t member_size = 30, entry_size = 46, end_size = 22, end64_size = 56, locator_size = 20;
constexpr uint64_t most_members = 1'000'000;
constexpr uint32_t in_zip64 = 0xffffffff;  // the value is in the zip64 field instead

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("its zip archive is damaged: " + what); }

// Little-endian numbers in a range of the file, with bounds checks.
class Fields {
 public:
  Fields(const FileBytes& file, uint64_t begin, uint64_t bytes) : bytes_(bytes) {
    if (begin > file.size() || bytes > file.size() - begin) fail("it ends too early");
    data_ = file.data() + begin;
  }
  template <class T>
  T get(uint64_t at) const {
    if (sizeof(T) > bytes_ || at > bytes_ - sizeof(T)) fail("a field is cut off");
    T value;
    std::memcpy(&value, data_ + at, sizeof value);
    return value;
  }
  std::string_view text(uint64_t at, uint64_t n) const {
    if (at > bytes_ || n > bytes_ - at) fail("a field is cut off");
    return {data_ + at, n};
  }

 private:
  const char* data_;
  uint64_t bytes_;
};

// Returns the offset of the end record, which only a comment follows.
uint64_t find_end(const FileBytes& file) {
  if (file.size() < end_size) fail("it ends too early");
  const uint64_t first = file.size() - std::min<uint64_t>(file.size(), end_size + 65535);
  for (uint64_t at = file.size() - end_size + 1; at-- > first;) {
    const Fields end(file, at, end_size);
    if (end.get<uint32_t>(0) == end_mark && end.get<uint16_t>(20) == file.size() - at - end_size) return at;
  }
  fail("it has no directory");
}

// Returns the value, or the next 8 bytes of the entry's zip64 field if the value did not fit.
uint64_t widened(uint32_t value, const Fields& fields, uint64_t extra, uint64_t extra_bytes, uint64_t* used) {
  if (value != in_zip64) return value;
  for (uint64_t at = extra; at + 4 <= extra + extra_bytes;) {
    const auto id = fields.get<uint16_t>(at), bytes = fields.get<uint16_t>(at + 2);
    if (id == 1) {
      if (*used + 8 > bytes) fail("its zip64 field is too short");
      const auto wide = fields.get<uint64_t>(at + 4 + *used);
      *used += 8;
      return wide;
    }
    at += 4 + static_cast<uint64_t>(bytes);
  }
  fail("its zip64 field is missing");
}

}  // namespace

ZipArchive::ZipArchive(const FileBytes& file) : file_(file) {
  const uint64_t end_at = find_end(file);
  const Fields end(file, end_at, end_size);
  uint64_t n = end.get<uint16_t>(10), bytes = end.get<uint32_t>(12), at = end.get<uint32_t>(16);
  if (end_at >= locator_size && Fields(file, end_at - locator_size, locator_size).get<uint32_t>(0) == locator_mark) {
    const Fields wide(file, Fields(file, end_at - locator_size, locator_size).get<uint64_t>(8), end64_size);
    if (wide.get<uint32_t>(0) != end64_mark) fail("its zip64 directory is not there");
    n = wide.get<uint64_t>(32);
    bytes = wide.get<uint64_t>(40);
    at = wide.get<uint64_t>(48);
  }
  if (n > most_members) fail("it has more than " + std::to_string(most_members) + " members");
  read_directory(at, bytes, n);
}

void ZipArchive::read_directory(uint64_t at, uint64_t bytes, uint64_t n) {
  const Fields fields(file_, at, bytes);
  uint64_t entry = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (fields.get<uint32_t>(entry) != directory_mark) fail("an entry of its directory is invalid");
    const uint64_t name_bytes = fields.get<uint16_t>(entry + 28), extra_bytes = fields.get<uint16_t>(entry + 30);
    const std::string name(fields.text(entry + entry_size, name_bytes));
    const uint64_t extra = entry + entry_size + name_bytes;
    fields.text(extra, extra_bytes);
    const bool plain = (fields.get<uint16_t>(entry + 8) & 1) == 0 && fields.get<uint16_t>(entry + 10) == 0;
    uint64_t used = 0;
    const uint64_t whole = widened(fields.get<uint32_t>(entry + 24), fields, extra, extra_bytes, &used);
    const uint64_t stored = widened(fields.get<uint32_t>(entry + 20), fields, extra, extra_bytes, &used);
    const uint64_t header = widened(fields.get<uint32_t>(entry + 42), fields, extra, extra_bytes, &used);
    if (plain && whole != stored) fail("the sizes of its member '" + name + "' differ");
    const Member member{content_of(header, stored), stored, fields.get<uint32_t>(entry + 16), plain};
    if (!members_.emplace(name, member).second) fail("it has two members '" + name + "'");
    entry = extra + extra_bytes + fields.get<uint16_t>(entry + 32);
  }
}

// Returns the offset of the content that belongs to the local header at `header`.
uint64_t ZipArchive::content_of(uint64_t header, uint64_t bytes) const {
  const Fields fields(file_, header, member_size);
  if (fields.get<uint32_t>(0) != member_mark) fail("a member is not where its directory says");
  const uint64_t begin = header + member_size + fields.get<uint16_t>(26) + fields.get<uint16_t>(28);
  if (begin > file_.size() || bytes > file_.size() - begin) fail("it ends too early");
  return begin;
}

std::string_view ZipArchive::content(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) fail("it has no member '" + name + "'");
  const Member& member = found->second;
  if (!member.plain)
    throw std::runtime_error("its member '" + name + "' is compressed or encrypted, which PyTorch never writes");
  constexpr uint64_t piece = 1 << 20;
  uLong crc = crc32(0, nullptr, 0);
  for (uint64_t at = 0; at < member.bytes; at += piece) {  // by system calls, so that a failing disk throws an Error
    const std::string bytes = file_.read(member.begin + at, std::min(piece, member.bytes - at));
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  }
  if (crc != member.crc) fail("the CRC of its member '" + name + "' is wrong");
  return {file_.data() + member.begin, member.bytes};
}

}  // namespace levin::core
