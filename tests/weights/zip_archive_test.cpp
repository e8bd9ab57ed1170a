#include "core/weights/zip_archive.hpp"

#include <stdexcept>

#include "catch.hpp"
#include "tests/weights/files.hpp"

using namespace levin::core;
using weights_test::golden;

namespace {

std::string archive_problem(const std::string& bytes) {
  try {
    const FileBytes file(bytes, "x.zip");
    const ZipArchive zip(file);
    for (const auto& [name, member] : zip.members()) zip.content(name);
    return "";
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("stored members of an archive are read, with and without zip64") {
  for (const char* name : {"state_dict-1.13.pt", "state_dict-2.pt", "zip64-1.13.pt"}) {
    const FileBytes file(golden(name));
    const ZipArchive zip(file);
    bool version = false;
    for (const auto& [member, place] : zip.members())
      if (member.find("/version") != std::string::npos) version = zip.content(member) == "3\n";
    INFO(name);
    CHECK(version);
  }
}

TEST_CASE("an archive that is not what PyTorch writes is refused") {
  CHECK(archive_problem(bytes_of(golden("state_dict-1.13.pt"))) == "");
  CHECK_THAT(archive_problem(bytes_of(golden("deflated-1.13.pt"))), ContainsSubstring("is compressed or encrypted"));
  CHECK_THAT(archive_problem("PK\x03\x04"), ContainsSubstring("ends too early"));
  CHECK(archive_problem("PK\x03\x04" + std::string(100, 'x')) == "its zip archive is damaged: it has no directory");
}

TEST_CASE("every cut, and every changed byte of a content, is noticed") {
  const std::string whole = bytes_of(golden("state_dict-1.13.pt"));
  for (size_t n = 0; n < whole.size(); n += 7) CHECK_FALSE(archive_problem(whole.substr(0, n)).empty());
  const FileBytes file(whole, "x.zip");
  const ZipArchive zip(file);
  for (const auto& [name, member] : zip.members()) {
    for (uint64_t i = 0; i < member.bytes; i += 5) {
      std::string bytes = whole;
      bytes[member.begin + i] = static_cast<char>(bytes[member.begin + i] ^ 4);
      CHECK_THAT(archive_problem(bytes), ContainsSubstring("CRC of its member '" + name + "' is wrong"));
    }
  }
}

TEST_CASE("any changed byte of an archive leads to members within the file or a clean refusal") {
  const std::string whole = bytes_of(golden("zip64-1.13.pt"));
  for (size_t i = 0; i < whole.size(); ++i)
    for (const int bit : {0, 3, 7}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      archive_problem(bytes);
    }
}
