#include "archive_reader.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "levin/error.hpp"

namespace download {
namespace {

constexpr const char* endings[] = {".zip",  ".tar",    ".tar.gz", ".tgz",    ".tar.bz2",
                                   ".tbz2", ".tar.xz", ".txz",    ".tar.zst"};
constexpr size_t block_size = size_t{1} << 18;

std::string problem_of(archive* from) {
  const char* text = archive_error_string(from);
  return text ? text : "it cannot be read";
}

}  // namespace

bool is_archive(const std::string& name) {
  std::string lower = name;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(std::begin(endings), std::end(endings), [&](const std::string& ending) {
    return lower.size() > ending.size() && lower.compare(lower.size() - ending.size(), ending.size(), ending) == 0;
  });
}

void refuse_damaged(const std::string& what) {
  throw levin::Error(LEVIN_E_INVALID, "is no archive, or damaged: " + what);
}

Utf8Names::Utf8Names()
    : utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)), before_(utf8_ ? uselocale(utf8_) : nullptr) {}

Utf8Names::~Utf8Names() {
  if (!utf8_) return;
  uselocale(before_);
  freelocale(utf8_);
}

// Other filters and formats are left out: some of libarchive's filters start programs.
ArchiveReader::ArchiveReader(const std::string& path) : archive_(archive_read_new(), &archive_read_free) {
  archive* const from = archive_.get();
  for (const auto support :
       {&archive_read_support_filter_gzip, &archive_read_support_filter_bzip2, &archive_read_support_filter_xz,
        &archive_read_support_filter_zstd, &archive_read_support_format_zip, &archive_read_support_format_tar})
    if (support(from) < ARCHIVE_WARN) refuse_damaged(problem_of(from));
  check_header(archive_read_open_filename(from, path.c_str(), block_size));
}

bool ArchiveReader::next(Member& out) {
  archive_entry* entry = nullptr;
  if (check_header(archive_read_next_header(archive_.get(), &entry)) == ARCHIVE_EOF) return false;
  out.path = path_of(entry);
  if (archive_entry_is_encrypted(entry))
    throw levin::Error(LEVIN_E_INVALID, "is encrypted: download and unpack it yourself, and give the path");
  const auto type = archive_entry_filetype(entry);
  out.kind = type == AE_IFDIR                                    ? Member::Kind::folder
             : type != AE_IFREG || archive_entry_hardlink(entry) ? Member::Kind::other
                                                                 : Member::Kind::file;
  return true;
}

// Every other result than these says that bytes are wrong, also ARCHIVE_WARN, such as for a checksum of zip.
bool ArchiveReader::read(Block& out) {
  la_int64_t offset = 0;
  const int result = archive_read_data_block(archive_.get(), &out.data, &out.size, &offset);
  out.offset = offset;
  if (result != ARCHIVE_OK && result != ARCHIVE_EOF) refuse_damaged(problem_of(archive_.get()));
  return result == ARCHIVE_OK;
}

int ArchiveReader::check_header(int result) const {
  if (result < ARCHIVE_WARN) refuse_damaged(problem_of(archive_.get()));
  return result;
}

std::string ArchiveReader::path_of(archive_entry* entry) const {
  const char* text = archive_entry_pathname(entry);
  if (!text) text = archive_entry_pathname_utf8(entry);
  if (!text || !*text) refuse_damaged("a member has no name");
  const std::filesystem::path path = std::filesystem::path(text).lexically_normal();
  if (path.is_absolute() || *path.begin() == "..")
    throw levin::Error(LEVIN_E_INVALID,
                       "has the member '" + std::string(text) + "', which would lie outside its folder");
  return path.string();
}

}  // namespace download
