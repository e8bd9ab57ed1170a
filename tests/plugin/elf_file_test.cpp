#include "core/plugin/checks/elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

#include "catch.hpp"
#include "core/plugin/checks/byte_source.hpp"
#include "tests/plugin/fixture.hpp"

namespace elf_file_test {
using namespace levin::core;

namespace {

// LEVIN_FUZZ_ROUNDS selects a longer test.
int rounds() {
  const char* text = std::getenv("LEVIN_FUZZ_ROUNDS");
  return text ? std::atoi(text) : 5000;
}

// Returns true if the file is read, false if it is cleanly rejected. Anything else ends the test.
bool reads(const std::string& bytes) {
  try {
    read_elf(bytes, "x.so");
    return true;
  } catch (const Error& e) {
    REQUIRE(e.kind() == ErrorKind::plugin);
    return false;
  }
}

template <class Header>
std::string with_header(const std::string& bytes, void (*change)(Header&)) {
  std::string out = bytes;
  Header header{};
  std::memcpy(&header, out.data(), sizeof header);
  change(header);
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

}  // namespace

TEST_CASE("reads of a file at any place are the same as of its bytes") {
  const TempFolder scratch;
  std::mt19937 random(1);
  for (const size_t size : {size_t{1}, size_t{4095}, size_t{16384}, size_t{100001}}) {
    std::string bytes(size, 0);
    for (char& c : bytes) c = static_cast<char>(random());
    write_bytes(scratch / "file", bytes);
    const int fd = ::open((scratch / "file").c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    const ByteSource file(fd), memory(bytes);
    for (int i = 0; i < 2000; ++i) {
      const uint64_t offset = random() % (size + 10), n = random() % (i % 2 ? 64 : 20000);
      std::string a(n, 1), b(n, 1);
      const bool read = file.read(offset, &a[0], n);
      REQUIRE(read == memory.read(offset, &b[0], n));
      REQUIRE((!read || a == b));
    }
    ::close(fd);
  }
}

TEST_CASE("the note, the needs and the build-id of a plugin are read from its bytes") {
  const ElfFile elf = read_elf(bytes_of(built("good")), "good");
  CHECK(elf.has_note);
  CHECK(elf.note_value("id") == "org.levin.test");
  CHECK(elf.note_value("version") == "1.0.0");
  CHECK(elf.note_value("torch") == "none");
  CHECK(elf.note_value("colour").empty());
  CHECK(elf.description.empty());
  CHECK(machine_name(elf.machine) != std::string("another processor"));
}

TEST_CASE("libraries and versions that a plugin needs are listed") {
  const ElfFile elf = read_elf(bytes_of(built("needs_second_torch")), "x");
  REQUIRE(std::find(elf.needed.begin(), elf.needed.end(), "libtorch_cpu.so.9.9") != elf.needed.end());
  const ElfFile throws = read_elf(bytes_of(built("throws_in_entry")), "x");
  CHECK(read_elf(bytes_of(built("prints_in_entry")), "x").glibc.substr(0, 2) == "2.");
  CHECK(throws.glibcxx.substr(0, 2) == "3.");
}

TEST_CASE("a library without note is read, and says so") {
  CHECK_FALSE(read_elf(bytes_of(built("no_note")), "x").has_note);
}

TEST_CASE("what is no 64-bit shared library is refused with the reason") {
  const std::string good = bytes_of(built("good"));
  const auto refused = [](const std::string& bytes) { return refusal([&] { read_elf(bytes, "x.so"); }); };
  CHECK_THAT(refused(""), ContainsSubstring("x.so: not an ELF file"));
  CHECK_THAT(refused("#!/bin/sh\necho hello\n"), ContainsSubstring("not an ELF file"));
  CHECK_THAT(refused(good.substr(0, 20)), ContainsSubstring("cut short: it has 20 of at least 64 bytes"));
  CHECK_THAT(refused(good.substr(0, good.size() / 2)), ContainsSubstring("cut short"));
  CHECK_THAT(refused(with_header<Elf64_Ehdr>(good, [](Elf64_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS32; })),
             ContainsSubstring("64-bit"));
  CHECK_THAT(refused(with_header<Elf64_Ehdr>(good, [](Elf64_Ehdr& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; })),
             ContainsSubstring("big-endian"));
  CHECK_THAT(refused(with_header<Elf64_Ehdr>(good, [](Elf64_Ehdr& h) { h.e_type = ET_REL; })),
             ContainsSubstring("object file"));
  CHECK_THAT(refused(bytes_of(LEVIN_TEST_DESCRIBER)), ContainsSubstring("a program"));
}

TEST_CASE("relocations that lead out of the library are refused") {
  const std::string good = bytes_of(built("good"));
  Elf64_Ehdr header{};
  std::memcpy(&header, good.data(), sizeof header);
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section{};
    std::memcpy(&section, good.data() + header.e_shoff + static_cast<size_t>(i) * sizeof section, sizeof section);
    if (section.sh_type != SHT_RELA || section.sh_size == 0) continue;
    const auto refused = [&](size_t field, uint64_t value) {
      std::string bytes = good;
      std::memcpy(&bytes[section.sh_offset + field], &value, sizeof value);
      return refusal([&] { read_elf(bytes, "x.so"); });
    };
    CHECK_THAT(refused(offsetof(Elf64_Rela, r_info), ELF64_R_INFO(0x8d00u, 6)), ContainsSubstring("relocations"));
    CHECK_THAT(refused(offsetof(Elf64_Rela, r_offset), 1ull << 40), ContainsSubstring("relocations"));
    return;
  }
  FAIL("the plugin has no relocations");
}

TEST_CASE("a file cut at any length is refused or read, never more") {
  const std::string good = bytes_of(built("good"));
  REQUIRE(reads(good));
  const size_t stride = std::getenv("LEVIN_FUZZ_ROUNDS") ? 1 : 7;
  for (size_t n = 0; n < good.size(); n += stride) CHECK_FALSE(reads(good.substr(0, n)));
}

TEST_CASE("changed bytes anywhere are refused or read, never more") {
  const std::string good = bytes_of(built("good"));
  std::mt19937 random(1);
  for (int round = 0; round < rounds(); ++round) {
    std::string bytes = good;
    const int changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) {
      // half of the changes are in the header, its tables and notes, where they matter
      const size_t range = random() % 2 ? bytes.size() : 1024;
      const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xff, random() & 0xff};
      bytes[random() % range] = static_cast<char>(values[random() % 6]);
    }
    reads(bytes);
  }
}

TEST_CASE("whole words of the section table can be anything") {
  const std::string good = bytes_of(built("good"));
  Elf64_Ehdr header{};
  std::memcpy(&header, good.data(), sizeof header);
  std::mt19937_64 random(2);
  for (int round = 0; round < rounds(); ++round) {
    std::string bytes = good;
    const bool sections = random() % 2;
    const size_t start = sections ? header.e_shoff : header.e_phoff;
    const size_t words = (sections ? header.e_shnum * sizeof(Elf64_Shdr) : header.e_phnum * sizeof(Elf64_Phdr)) / 8;
    const uint64_t values[] = {0, 1, bytes.size() - 1, bytes.size(), UINT64_MAX, UINT64_MAX - 7, random()};
    std::memcpy(&bytes[start + random() % words * 8], &values[random() % 7], 8);
    reads(bytes);
  }
}

}  // namespace elf_file_test
