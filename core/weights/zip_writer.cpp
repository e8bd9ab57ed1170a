#include <zlib.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/weights/zip_archive.hpp"

namespace levin::core {
namespace {

constexpr uint64_t member_alignment = 64;
constexpr uint64_t largest = 0xffffffff;  // also marks a value that is in the zip64 field
constexpr uint64_t most_plain_members = 0xffff;
constexpr uint64_t zip64_version = 45, plain_version = 20;
constexpr uint64_t dos_date = (1u << 5) | 1;  // 1980-01-01, a constant, so that the bytes depend only on the members

class ZipRecord {
 public:
  ZipRecord& u16(uint64_t value) { return little(value, 2); }
  ZipRecord& u32(uint64_t value) { return little(value, 4); }
  ZipRecord& u64(uint64_t value) { return little(value, 8); }
  ZipRecord& u32_or_wide(uint64_t value) { return u32(std::min(value, largest)); }
  ZipRecord& text(const std::string& text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  ZipRecord& little(uint64_t value, size_t n) {
    for (size_t i = 0; i < n; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  std::string bytes_;
};

struct PlacedMember {
  const ZipMember* member;
  uint64_t header = 0, content = 0;  // offsets in the file
  uint32_t crc = 0;
};

bool is_wide(const ZipMember& member) { return member.bytes >= largest; }

std::string wide_sizes(const ZipMember& member) {
  return is_wide(member) ? ZipRecord().u16(1).u16(16).u64(member.bytes).u64(member.bytes).bytes() : "";
}

// Adds the fields common to the local header and the directory entry, from the required version on.
ZipRecord& add_facts(ZipRecord& to, const PlacedMember& at, uint64_t version, uint64_t extra) {
  const uint64_t bytes = at.member->bytes;
  to.u16(version).u16(0).u16(0).u16(0).u16(dos_date).u32(at.crc);
  return to.u32_or_wide(bytes).u32_or_wide(bytes).u16(at.member->name.size()).u16(extra);
}

// Returns the local header. Its last field, named "FB" as in PyTorch, pads up to the content.
std::string local_header(const PlacedMember& at) {
  const std::string wide = wide_sizes(*at.member);
  ZipRecord out;
  out.u32(0x04034b50);
  const uint64_t fixed = 30 + at.member->name.size() + wide.size();
  const uint64_t fill = at.content - at.header - fixed;
  add_facts(out, at, is_wide(*at.member) ? zip64_version : plain_version, wide.size() + fill);
  out.text(at.member->name).text(wide).text("FB").u16(fill - 4).text(std::string(fill - 4, 'Z'));
  return out.bytes();
}

std::string directory_entry(const PlacedMember& at) {
  ZipRecord wide;
  if (is_wide(*at.member)) wide.u64(at.member->bytes).u64(at.member->bytes);
  if (at.header >= largest) wide.u64(at.header);
  const std::string& numbers = wide.bytes();
  const std::string extra = numbers.empty() ? "" : ZipRecord().u16(1).u16(numbers.size()).text(numbers).bytes();
  const uint64_t version = extra.empty() ? plain_version : zip64_version;
  ZipRecord out;
  out.u32(0x02014b50).u16(version);
  add_facts(out, at, version, extra.size()).u16(0).u16(0).u16(0).u32(0).u32_or_wide(at.header);
  return out.text(at.member->name).text(extra).bytes();
}

std::vector<PlacedMember> placed_members(const std::vector<ZipMember>& members, uint64_t* end) {
  std::vector<PlacedMember> out;
  uint64_t at = 0;
  for (const ZipMember& member : members) {
    PlacedMember placed{&member, at, 0, 0};
    const uint64_t least = at + 30 + member.name.size() + wide_sizes(member).size() + 4;
    placed.content = (least + member_alignment - 1) / member_alignment * member_alignment;
    at = placed.content + member.bytes;
    out.push_back(placed);
  }
  *end = at;
  return out;
}

std::string directory(const std::vector<PlacedMember>& members, uint64_t at) {
  ZipRecord entries;
  for (const PlacedMember& member : members) entries.text(directory_entry(member));
  const uint64_t bytes = entries.bytes().size(), n = members.size();
  ZipRecord out;
  out.text(entries.bytes());
  if (at >= largest || bytes >= largest || n >= most_plain_members) {
    out.u32(0x06064b50).u64(44).u16(zip64_version).u16(zip64_version).u32(0).u32(0).u64(n).u64(n).u64(bytes).u64(at);
    out.u32(0x07064b50).u32(0).u64(at + bytes).u32(1);
  }
  const uint64_t shown = std::min(n, most_plain_members);
  return out.u32(0x06054b50).u16(0).u16(0).u16(shown).u16(shown).u32_or_wide(bytes).u32_or_wide(at).u16(0).bytes();
}

void write_content(AtomicFile& file, const std::string& path, PlacedMember& placed) {
  constexpr uint64_t piece = 1 << 20;  // is still in the cache when it is written after its CRC was computed
  uint64_t at = placed.content;
  uLong crc = crc32(0, nullptr, 0);
  placed.member->content([&](const void* data, uint64_t bytes) {
    const char* from = static_cast<const char*>(data);
    for (uint64_t done = 0; done < bytes; done += piece) {
      const uint64_t n = std::min(piece, bytes - done);
      crc = crc32(crc, reinterpret_cast<const Bytef*>(from + done), static_cast<uInt>(n));
      file.write_at(at, from + done, n);
      at += n;
    }
  });
  if (at != placed.content + placed.member->bytes)
    throw Error(ErrorCode::internal_error,
                path + ": member " + placed.member->name + " has another size than was said");
  placed.crc = static_cast<uint32_t>(crc);
}

}  // namespace

void write_zip(const std::string& path, const std::vector<ZipMember>& members) {
  uint64_t end = 0;
  std::vector<PlacedMember> placed = placed_members(members, &end);
  const uint64_t directory_bytes = directory(placed, end).size();
  AtomicFile file(path, end + directory_bytes);
  for (PlacedMember& member : placed) {
    write_content(file, path, member);
    const std::string header = local_header(member);
    file.write_at(member.header, header.data(), header.size());
  }
  const std::string last = directory(placed, end);
  file.write_at(end, last.data(), last.size());
  file.commit();
}

}  // namespace levin::core
