#include "core/weights/pickle.hpp"

#include <random>
#include <stdexcept>

#include "catch.hpp"
#include "tests/weights/files.hpp"

using namespace levin::core;
using Kind = PickleValue::Kind;

namespace {

template <size_t N>
std::string_view raw(const char (&text)[N]) {
  return {text, N - 1};
}

}  // namespace

TEST_CASE("numbers of a pickle are read as Python writes them") {
  struct Case {
    std::string_view bytes;
    int64_t value;
  };
  const Case cases[] = {{raw("K\x07."), 7},
                        {raw("M\x01\x02."), 513},
                        {raw("J\xff\xff\xff\xff."), -1},
                        {raw("I-12\n."), -12},
                        {raw("L12L\n."), 12},
                        {raw("\x8a\x00."), 0},
                        {raw("\x8a\x01\xff."), -1},
                        {raw("\x8a\x02\xff\x00."), 255},
                        {raw("\x8a\x06\x00\x00\x00\x00\x00\x01."), int64_t{1} << 40},
                        {raw("\x88."), 1},
                        {raw("I01\n."), 1}};
  for (const Case& c : cases) {
    const Pickle pickle(c.bytes);
    CHECK(pickle[pickle.root()].integer == c.value);
    CHECK(pickle.length() == c.bytes.size());
  }
  const Pickle real(raw("G\xbf\xd0\x00\x00\x00\x00\x00\x00."));
  CHECK(real[real.root()].real == -0.25);
}

TEST_CASE("containers, the memo and marks nest") {
  // {"a": [1, 2], "b": ("a", None)}, with "a" from the memo
  const Pickle pickle(
      raw("\x80\x02}(X\x01\x00\x00\x00"
          "aq\x01](K\x01K\x02"
          "eX\x01\x00\x00\x00"
          "bh\x01N\x86u."));
  uint32_t a = 0, b = 0;
  REQUIRE(pickle.find(pickle.root(), "a", &a));
  REQUIRE(pickle.find(pickle.root(), "b", &b));
  REQUIRE(pickle[a].items.size() == 2);
  CHECK(pickle[pickle[a].items[1]].integer == 2);
  CHECK(pickle[pickle[b].items[0]].text == "a");
  CHECK(pickle.is(pickle[b].items[1], Kind::none));
}

TEST_CASE("what would be code is kept as a name and its arguments") {
  const Pickle pickle(raw("cos\nsystem\nX\x04\x00\x00\x00true\x85R."));
  const PickleValue& call = pickle[pickle.root()];
  CHECK(call.kind == Kind::call);
  CHECK(pickle[call.items[0]].text == "os.system");
  CHECK(pickle[pickle[call.items[1]].items[0]].text == "true");
}

TEST_CASE("a list may contain itself") {
  const Pickle pickle(
      raw("]q\x00h\x00"
          "a."));
  CHECK(pickle[pickle.root()].items == std::vector<uint32_t>{pickle.root()});
}

TEST_CASE("damaged pickles are refused with the place") {
  struct Case {
    std::string_view bytes;
    const char* problem;
  };
  const Case cases[] = {{raw(""), "at byte 0: it ends too early"},
                        {raw("."), "its stack is empty"},
                        {raw("K"), "it ends too early"},
                        {raw("t."), "there is no mark"},
                        {raw("h\x05."), "the memo has no value 5"},
                        {raw("X\xff\xff\xff\xff"), "it ends too early"},
                        {raw("\x8d\xff\xff\xff\xff\xff\xff\xff\xff"), "it ends too early"},
                        {raw("}K\x01"
                             "a."),
                         "a container of another kind is filled"},
                        {raw("}(K\x01u."), "a key has no value"},
                        {raw("\x80\x09."), "protocol 9 is not known"},
                        {raw("K\x01\x82\x00."), "at byte 2: operation 130 is not known"},
                        {raw("I1x\n."), "a number is invalid"}};
  for (const Case& c : cases) CHECK_THROWS_WITH(Pickle(c.bytes), ContainsSubstring(c.problem));
}

TEST_CASE("random changes of a pickle lead to a value or a clean refusal") {
  const std::string file = bytes_of(weights_test::golden("odd-1.13-legacy.pt"));
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = file.substr(60 + random() % 40);
    for (int i = 0; i < 1 + round % 5; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      const Pickle pickle(bytes);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}
