#include "zip.hpp"

#include <zlib.h>

#include <algorithm>

#include "../common/memory_limit.hpp"

namespace npy {
namespace {

constexpr uint64_t end_bytes = 22, entry_bytes = 46, local_bytes = 30, locator_bytes = 20;
constexpr uint64_t max_members = 100000, most_verified = uint64_t{1} << 30, in_zip64 = 0xffffffff;

[[noreturn]] void damaged(const Bytes& file, const std::string& what) {
  file.fail("is damaged or truncated: " + what + "; fetch or save it again");
}

// The end record: number of members, and where the directory begins.
struct End {
  uint64_t members, begin;
};

End find_end(const Bytes& file) {
  for (uint64_t back = end_bytes; back <= std::min<uint64_t>(file.size, end_bytes + 65535); ++back) {
    const uint64_t at = file.size - back;
    if (file.text(at, 4) != "PK\5\6" || file.number(at + 20, 2) != back - end_bytes) continue;
    if (at >= locator_bytes && file.text(at - locator_bytes, 4) == "PK\6\7") {
      const uint64_t wide = file.number(at - locator_bytes + 8, 8);
      if (file.text(wide, 4) != "PK\6\6") damaged(file, "its zip64 directory is not there");
      return {file.number(wide + 32, 8), file.number(wide + 48, 8)};
    }
    return {file.number(at + 10, 2), file.number(at + 16, 4)};
  }
  damaged(file, "it has no zip directory at its end");
}

// Replaces sizes that do not fit into 4 bytes by those of the zip64 field.
void widen(const Bytes& file, uint64_t at, uint64_t end, Member& member) {
  while (at + 4 <= end) {
    const uint64_t id = file.number(at, 2), bytes = file.number(at + 2, 2);
    uint64_t from = at + 4;
    at = from + bytes;
    if (id != 1) continue;
    for (uint64_t* value : {&member.bytes, &member.stored, &member.header})
      if (*value == in_zip64) {
        if (from + 8 > at) damaged(file, "a zip64 field is too short");
        *value = file.number(from, 8), from += 8;
      }
  }
}

uint32_t crc_of(const uint8_t* data, uint64_t n) {
  uLong crc = crc32(0, nullptr, 0);
  for (uint64_t at = 0; at < n; at += 1 << 24)
    crc = crc32(crc, data + at, static_cast<uInt>(std::min<uint64_t>(n - at, 1 << 24)));
  return static_cast<uint32_t>(crc);
}

// Returns false unless the stream is whole and has exactly the size of `out`.
bool unpack(const uint8_t* from, uint64_t n, std::vector<uint8_t>& out) {
  constexpr uint64_t piece = 1 << 30;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  uint8_t none = 0;  // inflate refuses a null pointer, even for an empty output
  stream.next_in = const_cast<Bytef*>(from);
  stream.next_out = out.empty() ? &none : out.data();
  uint64_t in_left = n, out_left = out.size();
  int status = Z_OK;
  while (status == Z_OK) {
    const uInt in = static_cast<uInt>(std::min(in_left, piece)), room = static_cast<uInt>(std::min(out_left, piece));
    stream.avail_in = in, stream.avail_out = room;
    status = inflate(&stream, Z_NO_FLUSH);
    in_left -= in - stream.avail_in, out_left -= room - stream.avail_out;
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && in_left == 0 && out_left == 0;
}

}  // namespace

std::vector<Member> read_directory(const Bytes& file) {
  const End end = find_end(file);
  if (end.members > max_members) damaged(file, "it claims " + std::to_string(end.members) + " members");
  std::vector<Member> out;
  uint64_t at = end.begin;
  for (uint64_t i = 0; i < end.members; ++i) {
    if (file.text(at, 4) != "PK\1\2") damaged(file, "an entry of its directory is invalid");
    Member member;
    member.encrypted = (file.number(at + 8, 2) & 1) != 0;
    member.method = file.number(at + 10, 2);
    member.crc = static_cast<uint32_t>(file.number(at + 16, 4));
    member.stored = file.number(at + 20, 4), member.bytes = file.number(at + 24, 4);
    member.header = file.number(at + 42, 4);
    const uint64_t name = file.number(at + 28, 2), extra = file.number(at + 30, 2), comment = file.number(at + 32, 2);
    member.name = file.text(at + entry_bytes, name);
    file.text(at + entry_bytes + name, extra);
    widen(file, at + entry_bytes + name, at + entry_bytes + name + extra, member);
    at += entry_bytes + name + extra + comment;
    out.push_back(std::move(member));
  }
  return out;
}

Bytes content(const Bytes& file, const Member& member, std::vector<uint8_t>& unpacked) {
  const std::string name = file.name + ":" + member.name;
  const auto fail = [&](const std::string& what) { damaged(file, "its member " + member.name + " " + what); };
  if (file.text(member.header, 4) != zip_mark) fail("is not where the directory says");
  const uint64_t begin =
      member.header + local_bytes + file.number(member.header + 26, 2) + file.number(member.header + 28, 2);
  if (begin > file.size || member.stored > file.size - begin) fail("ends behind the end of the file");
  Bytes out{file.data + begin, member.bytes, name};
  if (member.encrypted) out.fail("is encrypted, which is not read");
  if (member.method == 0) {
    if (member.stored != member.bytes) fail("has two sizes");
    if (member.bytes <= most_verified && crc_of(out.data, out.size) != member.crc) fail("has a wrong CRC");
    return out;
  }
  if (member.method != Z_DEFLATED)
    out.fail("is compressed by method " + std::to_string(member.method) +
             "; stored and deflated members are read: save it by numpy.savez");
  if (member.bytes / common::max_compression > member.stored) fail("claims a size that deflate cannot reach");
  common::check_memory(member.bytes, name);
  unpacked.resize(member.bytes);
  if (!unpack(file.data + begin, member.stored, unpacked)) fail("cannot be unpacked");
  if (crc_of(unpacked.data(), unpacked.size()) != member.crc) fail("has a wrong CRC");
  out.data = unpacked.data();
  return out;
}

}  // namespace npy
