#include "tar_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "levin/error.hpp"

namespace webdataset {
namespace {

constexpr uint64_t block = 512, most_name = 1 << 20;
constexpr const char* damaged = "is no tar archive, or damaged: ";

using Header = uint8_t[block];

std::string text(const uint8_t* field, size_t n) {
  const char* p = reinterpret_cast<const char*>(field);
  return {p, strnlen(p, n)};
}

// Reads an octal number, or a binary one of GNU tar. Returns false if it is neither.
bool number(const uint8_t* field, size_t n, uint64_t& value) {
  value = 0;
  if (field[0] == 0x80) {
    for (size_t i = 1; i < n; ++i) {
      if (value >> 56 != 0) return false;
      value = value << 8 | field[i];
    }
    return true;
  }
  for (size_t i = 0; i < n && field[i] != 0; ++i) {
    if (field[i] == ' ') continue;
    if (field[i] < '0' || field[i] > '7') return false;
    value = value << 3 | static_cast<uint64_t>(field[i] - '0');
  }
  return true;
}

bool is_header(const Header& header) {
  uint64_t sum = 0, wanted = 0;
  for (size_t i = 0; i < block; ++i) sum += i >= 148 && i < 156 ? uint64_t{' '} : header[i];
  return number(header + 148, 8, wanted) && sum == wanted;
}

// Reads the records "LENGTH KEY=VALUE\n" of a pax header.
void read_pax(const std::string& records, Member& next, bool& has_size) {
  for (size_t at = 0; at < records.size();) {
    const size_t blank = records.find(' ', at), n = std::strtoul(records.c_str() + at, nullptr, 10);
    if (blank == records.npos || n < 4 || n > records.size() - at || blank + 1 >= at + n) return;
    const std::string record = records.substr(blank + 1, at + n - 1 - (blank + 1));
    if (record.compare(0, 5, "path=") == 0) next.name = record.substr(5);
    if (record.compare(0, 5, "size=") == 0) next.size = std::strtoull(record.c_str() + 5, nullptr, 10), has_size = true;
    at += n;
  }
}

// Returns true for /etc/passwd, a/../b and the like.
bool leads_outside(const std::string& name) {
  if (name[0] == '/') return true;
  for (size_t begin = 0, end; begin <= name.size(); begin = end + 1) {
    end = std::min(name.find('/', begin), name.size());
    if (name.compare(begin, end - begin, "..") == 0) return true;
  }
  return false;
}

bool is_file(char type) { return type == '0' || type == '7' || type == 0; }

std::string name_in(const Header& header) {
  const std::string name = text(header, 100), prefix = text(header + 345, 155);
  const bool ustar = std::memcmp(header + 257, "ustar\0", 6) == 0;
  return ustar && !prefix.empty() ? prefix + "/" + name : name;
}

}  // namespace

TarFile::TarFile(const std::string& path) : path_(path), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  const int error = errno;
  if (fd_ >= 0 && fstat(fd_, &opened_) == 0 && S_ISREG(opened_.st_mode)) return;
  if (fd_ >= 0) close(fd_);
  fail(fd_ < 0 ? std::string("cannot be opened: ") + std::strerror(error) : "is not a file");
}
TarFile::~TarFile() {
  if (fd_ >= 0) close(fd_);
}

void TarFile::fail(const std::string& what) const { throw levin::Error(LEVIN_E_IO, path_ + " " + what); }

uint64_t TarFile::state() const {
  uint64_t state = static_cast<uint64_t>(opened_.st_size);
  for (const auto part : {opened_.st_mtim.tv_sec, opened_.st_mtim.tv_nsec})
    state = state * UINT64_C(0x100000001b3) ^ static_cast<uint64_t>(part);
  return state;
}

void TarFile::read(uint64_t begin, uint64_t size, void* to) const {
  for (uint64_t done = 0; done < size;) {
    const ssize_t got = pread(fd_, static_cast<char*>(to) + done, size - done, static_cast<off_t>(begin + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) fail("is truncated: it ends within a member");
    done += static_cast<uint64_t>(got);
  }
}

void TarFile::check_member(char type, const std::string& name) const {
  if (leads_outside(name)) fail("has the member '" + name + "', which leads out of its folder: it is refused");
  if (type == '1' || type == '2') fail("has the link '" + name + "': links are refused, store the file itself");
  if (!is_file(type) && type != '5')
    fail("has the member '" + name +
         "', which is no file: " + (type == 'S' ? "sparse files are refused" : "special files are refused"));
}

std::vector<Member> TarFile::members(std::string& damage) const {
  const auto all = static_cast<uint64_t>(opened_.st_size);
  std::vector<Member> out;
  Member next;  // what pax and GNU headers say about the member behind them
  bool has_size = false;
  uint64_t at = 0;
  damage.clear();
  const auto stop = [&](const std::string& what) { damage = path_ + " " + damaged + what; };
  uint8_t begin[2] = {};
  read(0, std::min<uint64_t>(all, sizeof begin), begin);
  const std::string other = begin[0] == 0x1f && begin[1] == 0x8b ? "it is compressed by gzip: unpack it"
                            : begin[0] == '<'                    ? "it is HTML or XML"
                                                                 : "";
  while (at + block <= all) {
    Header header;
    read(at, block, header);
    if (std::all_of(header, header + block, [](uint8_t byte) { return byte == 0; })) return out;
    uint64_t size = 0;
    if (!is_header(header) || !number(header + 124, 12, size)) {
      return stop(at == 0 && !other.empty() ? other : "there is no header at byte " + std::to_string(at)), out;
    }
    const char type = static_cast<char>(header[156]);
    if (has_size && is_file(type)) size = next.size;
    at += block;
    if (size > all - at) return stop("it is truncated, within " + name_in(header)), out;
    if (type == 'x' || type == 'L') {
      if (size > most_name) return stop("a name of " + std::to_string(size) + " bytes"), out;
      std::string words(size, 0);
      read(at, size, words.data());
      type == 'x' ? read_pax(words, next, has_size) : void(next.name = words.c_str());
    } else if (type != 'g' && type != 'K') {
      Member member{next.name.empty() ? name_in(header) : next.name, at, size};
      check_member(type, member.name);
      if (is_file(type)) out.push_back(std::move(member));
      next = {};
      has_size = false;
    }
    at += std::min(all - at, (size + block - 1) / block * block);
  }
  return stop(all < block && !other.empty() ? other : "it is truncated: the zeros at its end are missing"), out;
}

}  // namespace webdataset
