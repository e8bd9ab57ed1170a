#include "core/plugin/checks/file_checks.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catch.hpp"
#include "tests/plugin/fixture.hpp"

namespace file_checks_test {
using namespace levin::core;

namespace {

const HostFacts host = {
    EM_X86_64, 0, 4, {"1.13", "1", "libstdc++", {"libtorch_cpu.so.1.13", "libc10.so.1.13"}, "libgomp"}, "2.36"};

ElfFile portable() {
  ElfFile elf;
  elf.machine = EM_X86_64;
  elf.has_note = true;
  elf.note = {{"abi", "0.4"}, {"id", "org.me.x"}, {"torch", "none"}};
  elf.needed = {"libc.so.6"};
  elf.glibc = "2.34";
  return elf;
}

ElfFile torch(const std::string& version) {
  ElfFile elf = portable();
  elf.note = {{"abi", "0.4"}, {"id", "org.me.x"}, {"torch", version}, {"cxx11abi", "1"}, {"stdlib", "libstdc++"}};
  elf.needed = {"libtorch_cpu.so.1.13", "libc10.so.1.13"};
  return elf;
}

std::string refused(const ElfFile& elf, const HostFacts& by = host) {
  return refusal([&] { check_elf(elf, "x.so", by, false); });
}

}  // namespace

TEST_CASE("a portable plugin and one of the host's LibTorch pass") {
  CHECK(check_elf(portable(), "x.so", host, false).empty());
  CHECK(check_elf(torch("1.13"), "x.so", host, false).empty());
  CHECK(check_elf(torch("1.13.1"), "x.so", host, false).empty());
}

TEST_CASE("another machine is named") {
  ElfFile elf = portable();
  elf.machine = EM_AARCH64;
  CHECK(refused(elf) == "x.so: made for AArch64; this host runs on x86-64 (P2)");
}

TEST_CASE("a library without note is no plugin") {
  ElfFile elf = portable();
  elf.has_note = false;
  CHECK_THAT(refused(elf), ContainsSubstring("not a Levin plugin") && ContainsSubstring("(P3)"));
  elf = portable();
  elf.note = {{"abi", "0.1"}};
  CHECK_THAT(refused(elf), ContainsSubstring("has no id"));
}

TEST_CASE("the ABI that a plugin needs is compared with the host's") {
  const struct {
    const char *abi, *words;
  } rows[] = {{"0.4", ""},
              {"0.3",
               "needs plugin ABI 0.3, this host has 0.4, and before 1.0 both have to be the same; rebuild the plugin "
               "with this host's SDK, or use a host of that version"},
              {"0.5", "needs plugin ABI 0.5, this host has 0.4, and before 1.0 both have to be the same"},
              {"1.0", "needs plugin ABI 1.0, this host has 0.4, another major version"},
              {"0.12", "needs plugin ABI 0.12"},
              {"zero", "abi=zero, not MAJOR.MINOR"},
              {"0.1x", "not MAJOR.MINOR"}};
  for (const auto& row : rows) {
    ElfFile elf = portable();
    elf.note[0].second = row.abi;
    INFO(row.abi);
    if (*row.words) CHECK_THAT(refused(elf), ContainsSubstring(row.words) && ContainsSubstring("(P4)"));
    if (!*row.words) CHECK(refused(elf).empty());
  }
}

TEST_CASE("from 1.0 on a host takes the minors of its major that are not newer") {
  HostFacts later = host;
  later.abi_major = 1;
  const struct {
    const char *abi, *words;
  } rows[] = {{"1.0", ""},
              {"1.4", ""},
              {"1.5", "needs plugin ABI 1.5, this host has only 1.4"},
              {"0.3", "needs plugin ABI 0.3, this host has 1.4, another major version"}};
  for (const auto& row : rows) {
    ElfFile elf = portable();
    elf.note[0].second = row.abi;
    INFO(row.abi);
    if (*row.words) CHECK_THAT(refused(elf, later), ContainsSubstring(row.words) && ContainsSubstring("(P4)"));
    if (!*row.words) CHECK(refused(elf, later).empty());
  }
}

TEST_CASE("a plugin of another LibTorch is refused in one line with both sides of what differs") {
  CHECK(refused(torch("2.6")) ==
        "x.so: built for another LibTorch: LibTorch 2.6, this host has 1.13; rebuild it with cmake "
        "-DLEVIN_TORCH=FOLDER, the folder of this host's LibTorch, or use the portable tier (P5)");
  ElfFile old_abi = torch("1.13");
  old_abi.note[3].second = "0";
  CHECK_THAT(refused(old_abi), ContainsSubstring("another LibTorch: C++11 ABI 0, this host has 1; rebuild"));
  old_abi.note[2].second = "2.6";
  CHECK_THAT(refused(old_abi), ContainsSubstring("LibTorch 2.6, this host has 1.13; C++11 ABI 0, this host has 1;"));
}

TEST_CASE("without a known LibTorch nothing is compared with it") {
  HostFacts unknown = host;
  unknown.torch = {};
  CHECK(refused(torch("2.6"), unknown).empty());
}

TEST_CASE("libraries that would bring a second LibTorch are refused") {
  const struct {
    const char *library, *words;
  } rows[] = {{"libtorch_cpu.so", "needs libtorch_cpu.so, this host runs with libtorch_cpu.so.1.13 and libc10.so.1.13"},
              {"libc10.so.2.6", "second LibTorch"},
              {"libtorch.so.1.13", "link torch_cpu and c10 only"},
              {"libtorch_cuda.so", "link torch_cpu and c10 only"},
              {"libc10_cuda.so", "link torch_cpu and c10 only"},
              {"/opt/libx.so", "by its path"}};
  for (const auto& row : rows) {
    ElfFile elf = torch("1.13");
    elf.needed.push_back(row.library);
    CHECK_THAT(refused(elf), ContainsSubstring(row.words) && ContainsSubstring("(P6)"));
  }
  ElfFile elf = portable();
  elf.needed.push_back("libc10.so.1.13");
  CHECK_THAT(refused(elf), ContainsSubstring("its note says torch=none, but it needs libc10.so.1.13"));
}

TEST_CASE("a second OpenMP runtime is a warning") {
  ElfFile elf = portable();
  elf.needed.push_back("libgomp.so.1");
  CHECK(check_elf(elf, "x.so", host, false).empty());
  elf.needed.push_back("libomp.so.5");
  const auto warnings = check_elf(elf, "x.so", host, false);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], ContainsSubstring("libomp") && ContainsSubstring("libgomp"));
}

TEST_CASE("a newer glibc than this system's is named before the loader stumbles over it") {
  ElfFile elf = portable();
  elf.glibc = "2.38";
  CHECK_THAT(refused(elf), ContainsSubstring("needs glibc 2.38, this system has 2.36"));
}

TEST_CASE("library folders that others could fill are refused, each by its place") {
  const TempFolder scratch;
  const std::string folder = scratch.path().string();
  ElfFile elf = portable();
  elf.runpath = "$ORIGIN/../lib:" + folder;
  CHECK(refused(elf).empty());
  REQUIRE(chmod(folder.c_str(), 0777) == 0);
  CHECK_THAT(refused(elf),
             ContainsSubstring("entry 2 of 2 of its run path") &&
                 ContainsSubstring("is '" + folder + "', where anyone may put a library; chmod o-w the folder"));
  elf.runpath = "/usr/lib:" + folder + "/later/lib";  // a folder that anyone could create
  CHECK_THAT(refused(elf), ContainsSubstring("where anyone may put a library, in " + folder + "; chmod o-w"));
  elf.runpath = folder + "/../" + scratch.path().filename().string() + "/lib";
  CHECK_THAT(refused(elf), ContainsSubstring("where anyone may put a library"));
  REQUIRE(chmod(folder.c_str(), 0700) == 0);
  CHECK(refused(elf).empty());
  elf.runpath = "/tmp/levin-that-nobody-has-made/lib";
  CHECK_THAT(refused(elf), ContainsSubstring("where anyone may put a library, in /tmp"));
  elf.runpath = "/usr/$LIB";
  CHECK_THAT(refused(elf), ContainsSubstring("link with a plain path"));
  for (const char* relative : {"lib", "./lib:/usr/lib"}) {
    elf.runpath = std::string("/usr/lib:") + relative;
    CHECK_THAT(refused(elf), ContainsSubstring("entry 2 of") && ContainsSubstring("depends on the current folder") &&
                                 ContainsSubstring("add --trust (P6)"));
  }
  CHECK(check_elf(elf, "x.so", host, true).empty());
}

TEST_CASE("library folders of other users are refused, whoever owns those in them") {
  if (geteuid() != 0) return;  // only root can create one
  const TempFolder scratch;
  const std::filesystem::path folder = scratch / "home/lib";
  std::filesystem::create_directories(folder);
  ElfFile elf = portable();
  elf.runpath = folder.string();
  CHECK(refused(elf).empty());
  REQUIRE(chown((scratch / "home").c_str(), 12345, 0) == 0);
  CHECK_THAT(refused(elf), ContainsSubstring("where user 12345 may put a library, in " + (scratch / "home").string()));
  std::filesystem::create_symlink(folder, scratch / "link");
  elf.runpath = (scratch / "link").string();
  CHECK_THAT(refused(elf), ContainsSubstring("where user 12345 may put a library"));
}

TEST_CASE("libraries that the dynamic linker would bring in other ways are refused") {
  ElfFile elf = portable();
  elf.companion = "libaudit.so";
  CHECK_THAT(refused(elf), ContainsSubstring("brings the library 'libaudit.so' as a filter or auditor"));
  CHECK(read_elf(bytes_of(built("audits")), "x").companion == "libwatcher.so");
  CHECK(read_elf(bytes_of(built("good")), "x").companion.empty());
}

TEST_CASE("empty entries of a run path are refused only where a library would be searched for in the current folder") {
  const TempFolder scratch;
  const std::string folder = scratch.path().string();
  write_bytes(scratch / "libown.so.1", "");
  ElfFile elf = portable();
  elf.needed = {"libown.so.1", "libstdc++.so.6", "libc.so.6", "ld-linux-x86-64.so.2"};
  for (const std::string& filled : {folder + ":", folder + ":::", "$ORIGIN:" + folder + "::/usr/lib"}) {
    elf.runpath = filled;
    CHECK(refused(elf).empty());
  }
  elf.runpath = ":" + folder;
  CHECK_THAT(refused(elf), ContainsSubstring("entry 1 of 2 of its run path ':" + folder +
                                             "' is empty, which is the current folder, and libown.so.1 would be "
                                             "searched for there") &&
                               ContainsSubstring("levin_add_plugin()"));
  elf.needed.push_back("libjpeg.so.62");
  elf.runpath = folder + "::";
  CHECK_THAT(refused(elf),
             ContainsSubstring("entry 2 of 3") && ContainsSubstring("libjpeg.so.62 would be searched for"));
  elf.needed.pop_back();
  elf.rpath_inherited = true;
  CHECK_THAT(refused(elf), ContainsSubstring("what its libraries need would be searched for"));
}

TEST_CASE("symbols of the SDK that a whole process would share are refused by name") {
  ElfFile elf = portable();
  elf.unique_symbols = {"_ZNSt19_Sp_make_shared_tag5_S_tiEvE5__tag", "_ZN4Mine7optionsE"};
  CHECK(refused(elf).empty());
  elf.unique_symbols.emplace_back("_ZZN5levin6detail5tableI4MineEERivE1n");
  CHECK_THAT(refused(elf), ContainsSubstring("levin::detail::table<Mine>()::n") &&
                               ContainsSubstring("-fvisibility=hidden") && ContainsSubstring("(P6)"));
}

}  // namespace file_checks_test
