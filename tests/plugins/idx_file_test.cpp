#include "plugins/mnist/idx_file.hpp"

#include <sys/stat.h>

#include "catch.hpp"
#include "idx_files.hpp"

using mnist::read_idx;

TEST_CASE("an IDX file is read plain and compressed") {
  const IdxFolder folder;
  const std::string bytes = IdxFolder::bytes({2, 1, 3}, "abcdef");
  folder.write("plain", bytes);
  folder.write_gz("packed.gz", bytes);
  for (const char* file : {"plain", "packed.gz"}) {
    const mnist::IdxArray array = read_idx(folder.path(file));
    CHECK(array.shape == std::vector<int64_t>{2, 1, 3});
    CHECK(std::string(array.data.begin(), array.data.end()) == "abcdef");
  }
}

TEST_CASE("an IDX file that is not right is refused with the reason") {
  const IdxFolder folder;
  struct Case {
    const char *name, *reason;
    std::string bytes;
  };
  const std::string good = IdxFolder::bytes({2, 3}, "abcdef");
  const std::vector<Case> cases = {
      {"empty", "is not an IDX file", ""},
      {"text", "is not an IDX file", "hello, world"},
      {"float", "elements of IDX type 13", IdxFolder::bytes({1}, "abcd", 13)},
      {"no dimension", "0 dimensions", IdxFolder::bytes({}, "")},
      {"five dimensions", "5 dimensions", IdxFolder::bytes({1, 1, 1, 1, 1}, "a")},
      {"short header", "ends inside its header", good.substr(0, 9)},
      {"missing byte", "5 of 6 bytes", good.substr(0, good.size() - 1)},
      {"missing rows", "promises 100 x 3 bytes", IdxFolder::bytes({100, 3}, "abcdef")},
      {"more bytes", "longer than its header says", good + "g"},
      {"zero size", "is empty", IdxFolder::bytes({0, 3}, "")},
      {"absurd size", "more than the file can hold", IdxFolder::bytes({0xffffffff, 0xffffffff, 0xffffffff}, "abc")}};
  for (const Case& c : cases) {
    INFO(c.name);
    folder.write(c.name, c.bytes);
    CHECK_THROWS_WITH(read_idx(folder.path(c.name)), ContainsSubstring(c.reason) && ContainsSubstring(c.name));
  }
}

TEST_CASE("a small compressed file whose counts no machine could hold is found by its header") {
  const IdxFolder folder;
  const std::string head = IdxFolder::bytes({1u << 22, 4096, 4096}, "");  // 64 TiB
  std::string path = folder.path("bomb.gz");
  gzFile out = gzopen(path.c_str(), "wb1");
  gzwrite(out, head.data(), static_cast<unsigned>(head.size()));
  gzclose(out);
  std::filesystem::resize_file(path, std::uintmax_t{1} << 37);  // sparse: a file of this size could hold it
  for (const auto& read :
       {+[](const std::string& p) { mnist::read_idx_shape(p); }, +[](const std::string& p) { mnist::read_idx(p); }})
    CHECK_THROWS_WITH(read(path), ContainsSubstring("bomb.gz holds") && ContainsSubstring("MiB of memory"));
}

TEST_CASE("damaged compressed files are refused") {
  const IdxFolder folder;
  std::string noise;
  for (uint32_t i = 0; i < 6000; ++i) noise += static_cast<char>(i * 2654435761u >> 24);
  folder.write_gz("good.gz", IdxFolder::bytes({6000}, noise));
  std::ifstream in(folder.path("good.gz"), std::ios::binary);
  const std::string packed((std::istreambuf_iterator<char>(in)), {});
  REQUIRE(read_idx(folder.path("good.gz")).data.size() == 6000);

  for (size_t keep : {size_t{1}, size_t{12}, packed.size() / 2, packed.size() - 4}) {
    folder.write("cut.gz", packed.substr(0, keep));
    CHECK_THROWS_WITH(read_idx(folder.path("cut.gz")), ContainsSubstring("cut.gz"));
  }
  for (size_t at : {packed.size() / 2, packed.size() - 6}) {
    std::string changed = packed;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    folder.write("changed.gz", changed);
    CHECK_THROWS_WITH(read_idx(folder.path("changed.gz")), ContainsSubstring("changed.gz"));
  }
}

TEST_CASE("what is not a file is refused, not waited for") {
  const IdxFolder folder;
  REQUIRE(mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_idx(folder.path("fifo")), ContainsSubstring("is not a file"));
  CHECK_THROWS_WITH(read_idx(folder.path()), ContainsSubstring("is not a file"));
  CHECK_THROWS_WITH(read_idx(folder.path("nothing")), ContainsSubstring("is not a file"));
}
