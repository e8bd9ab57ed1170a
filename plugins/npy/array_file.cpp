#include "array_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "../common/arrays/array.hpp"
#include "../common/arrays/npy_header.hpp"
#include "../common/memory_limit.hpp"
#include "../common/not_opened.hpp"

#include "zip.hpp"

namespace npy {
namespace {

constexpr std::string_view ending = ".npy", archive = ".npz:";

bool is_array(const std::string& member, const std::string& name) { return member == name || member == name + ".npy"; }

std::vector<std::string> names_of(const std::vector<Member>& members) {
  std::vector<std::string> names;
  for (const Member& member : members) {
    const std::string& name = member.name;
    const bool ends = name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending;
    names.push_back(ends ? name.substr(0, name.size() - ending.size()) : name);
  }
  return names;
}

const Member& find_member(const Bytes& file, const std::vector<Member>& members, const std::string& given,
                          const std::string& usual) {
  if (members.empty()) file.fail("is an empty archive");
  const std::vector<std::string> names = names_of(members);
  const std::string name = given.empty() ? arrays::usual_or_only(names, usual) : given;
  for (const Member& member : members)
    if (is_array(member.name, name)) return member;
  file.fail("has no array '" + name + "'; it has " + arrays::listed(names) + ": name one, as in " + file.name + ":" +
            names[0]);
}

// Reads the directory of a .npz file; nothing for a .npy file. Throws levin::Error for other files.
std::vector<Member> members_of(const Bytes& file) {
  if (file.starts_with(arrays::npy_mark)) return {};
  if (!file.starts_with(zip_mark)) file.fail("is neither a .npy nor a .npz file");
  return read_directory(file);
}

}  // namespace

ArrayFile::ArrayFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  bytes_.name = path;
  const auto refuse = [&](const std::string& what) {
    if (fd_ >= 0) close(fd_);
    bytes_.fail(what);
  };
  if (fd_ < 0) common::fail_to_open(path + " cannot be opened", errno);
  if (fstat(fd_, &opened_) != 0 || !S_ISREG(opened_.st_mode)) refuse("is not a file");
  bytes_.size = static_cast<uint64_t>(opened_.st_size);
  if (bytes_.size == 0) refuse("is empty");
  void* mapped = mmap(nullptr, bytes_.size, PROT_READ, MAP_PRIVATE, fd_, 0);
  if (mapped == MAP_FAILED) refuse(std::string("cannot be mapped into memory: ") + std::strerror(errno));
  bytes_.data = static_cast<const uint8_t*>(mapped);
  // Rows are read in random order. What the kernel reads ahead is wasted if it is evicted before it is used.
  if (!common::fits_into_memory(bytes_.size)) madvise(mapped, bytes_.size, MADV_RANDOM);
}

ArrayFile::~ArrayFile() {
  munmap(const_cast<uint8_t*>(bytes_.data), bytes_.size);
  close(fd_);
}

void ArrayFile::check_unchanged() const {
  struct stat now {};
  if (fstat(fd_, &now) == 0 && now.st_size == opened_.st_size && now.st_mtim.tv_sec == opened_.st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == opened_.st_mtim.tv_nsec)
    return;
  bytes_.fail("was changed while it was in use: write new data to another file");
}

ArrayPlace::ArrayPlace(const std::string& text) : path(text) {
  const size_t at = text.rfind(archive);
  if (at == text.npos) return;
  path = text.substr(0, at + archive.size() - 1);
  name = text.substr(at + archive.size());
}

std::vector<std::string> array_names(const std::string& path) { return names_of(members_of(ArrayFile(path).bytes())); }

ArrayBytes open_array(const ArrayPlace& place, const std::string& usual) {
  auto file = std::make_shared<const ArrayFile>(place.path);
  const Bytes& bytes = file->bytes();
  if (bytes.starts_with(arrays::npy_mark)) {
    if (!place.name.empty()) bytes.fail("is a .npy file, which has no array '" + place.name + "'");
    return {file, nullptr, bytes};
  }
  auto unpacked = std::make_shared<std::vector<uint8_t>>();
  const Member member = find_member(bytes, members_of(bytes), place.name, usual);
  const Bytes array = content(bytes, member, *unpacked);
  return {file, unpacked, array};
}

}  // namespace npy
