#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "plugins/text_data/tokenizer.hpp"
#include "temp_folder.hpp"

using levin::Split;
using levin::Stage;
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Options;

namespace {

// A tokenizer of byte pairs: a, b, space and the merges a+b, ab+ab.
const std::string small_tokenizer =
    R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "abab": 3, "Ġ": 4, "<eot>": 5}, "merges": ["a b", ["ab", "ab"]]},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "added_tokens": [{"id": 5, "content": "<eot>", "normalized": false}]})";

std::vector<int32_t> encoded(const text::Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return ids;
}

std::vector<int64_t> numbers(const levin::testing::Rows& rows, size_t field) {
  std::vector<int64_t> out;
  int64_t n = 1;
  for (const int64_t size : rows.shapes[field]) n *= size;
  for (int64_t i = 0; i < n; ++i) out.push_back(static_cast<int64_t>(rows.at(field, i)));
  return out;
}

std::vector<int64_t> all(Component& data, Split split) {
  std::vector<int64_t> rows;
  const levin_data& table = data.table<levin_data>();
  levin_split described{};
  described.size = sizeof described;
  if (table.describe(data.self(), static_cast<uint32_t>(split), 0, &described) != LEVIN_OK) return rows;
  for (int64_t i = 0; i < described.rows; ++i) rows.push_back(i);
  return rows;
}

const std::string reviews =
    "text,label,who\n\"good, very good\",pos,a\nbad,neg,b\nfine,pos,a\nawful bad,neg,c\nnice,pos,d\npoor,neg,e\n";

}  // namespace

TEST_CASE("text gives blocks of characters, and the next character of each") {
  const TempFolder folder;
  FakeHost host;
  Component data(host, "text", {{"file", folder.write("a.txt", "abcabcabcabcä")}, {"block_size", 3}, {"val_rows", 0}});
  levin::testing::setup(data, Stage::fit);
  const levin_split described = levin::testing::describe(data, Split::train);
  CHECK(described.rows == 4);
  CHECK(described.fields[1].classes == 6);  // <pad>, <unk>, a, b, c, ä
  CHECK(std::string(described.fields[1].class_names[5]) == "ä");
  const levin::testing::Rows rows = levin::testing::batch(data, Split::train, {3, 0});
  CHECK(numbers(rows, 0) == std::vector<int64_t>{2, 3, 4, 2, 3, 4});
  CHECK(numbers(rows, 1) == std::vector<int64_t>{3, 4, 5, 3, 4, 2});
}

TEST_CASE("no training block shares a token with a validation or test block, whatever the stride") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::string(1, static_cast<char>('!' + i % 90)) + (i % 7 == 0 ? "x" : "");
  const std::string file = folder.write("a.txt", text);
  for (const int64_t stride : {1, 3, 7, 10, 25}) {
    INFO(stride);
    FakeHost host;
    Component data(host, "text", {{"file", file}, {"block_size", 10}, {"stride", stride}, {"test_fraction", 0.2}});
    levin::testing::setup(data, Stage::fit);
    std::set<int64_t> held_out;
    const auto first = [&](Split split, int64_t row) {
      const auto* names = static_cast<const levin_row_names*>(data.extension(LEVIN_ROW_NAMES));
      const char* name = nullptr;
      REQUIRE(names->name(data.self(), static_cast<uint32_t>(split), 0, row, &name) == LEVIN_OK);
      return std::stoll(std::string(name).substr(6));
    };
    for (const Split split : {Split::val, Split::test}) {
      CHECK(all(data, split).size() > 5);
      for (const int64_t row : all(data, split))
        for (int64_t i = 0; i < 10; ++i) CHECK(held_out.insert(first(split, row) + i).second);
    }
    CHECK(all(data, Split::train).size() > 20);
    for (const int64_t row : all(data, Split::train)) {
      CHECK(first(Split::train, row) % stride == 0);
      for (int64_t i = 0; i < 10; ++i) CHECK(held_out.count(first(Split::train, row) + i) == 0);
    }
  }
}

TEST_CASE("words are counted, the most frequent ones have a number, and the others are unknown") {
  const TempFolder folder;
  FakeHost host;
  Component data(host, "text",
                 {{"file", folder.write("a/1.txt", "The cat. the dog!\n")},
                  {"tokenizer", "words"},
                  {"lowercase", true},
                  {"block_size", 6},
                  {"max_vocabulary", 4},
                  {"val_rows", 0}});
  CHECK_THROWS_WITH(levin::testing::setup(data, Stage::fit), ContainsSubstring("has 6 tokens, too few"));
  folder.write("a/2.txt", "the birds");
  std::filesystem::create_symlink("1.txt", folder / "a/3.txt");  // the same text is not read twice
  Component more(host, "text",
                 {{"file", folder.file("a")},
                  {"tokenizer", "words"},
                  {"lowercase", true},
                  {"block_size", 6},
                  {"max_vocabulary", 4},
                  {"val_rows", 0}});
  levin::testing::setup(more, Stage::fit);
  const levin_field& y = levin::testing::describe(more, Split::train).fields[1];
  CHECK(y.classes == 4);
  CHECK(std::string(y.class_names[2]) == "the");
  CHECK(std::string(y.class_names[3]) == "!");
  CHECK(numbers(levin::testing::batch(more, Split::train, {0}), 0) == std::vector<int64_t>{2, 1, 1, 2, 1, 3});
}

TEST_CASE("texts of a CSV file and of class folders are padded to the longest row, with a mask") {
  const TempFolder folder;
  FakeHost host;
  for (const bool table : {true, false}) {
    std::string file = folder.write("r.csv", reviews);
    if (!table) {
      for (const char* place : {"f/pos/1.txt", "f/pos/2.txt", "f/neg/a/1.txt", "f/neg/.hidden"})
        folder.write(place, place[2] == 'p' ? "good" : "bad thing");
      file = folder.file("f");
    }
    Component data(host, "text", {{"file", file}, {"task", "classification"}, {"tokenizer", "words"}, {"val_rows", 0}});
    levin::testing::setup(data, Stage::fit);
    const levin_split described = levin::testing::describe(data, Split::train);
    CHECK(described.rows == (table ? 6 : 3));
    CHECK(std::string(described.fields[2].class_names[0]) == "neg");
    CHECK(described.fields[0].shape[0] == -1);
    const levin::testing::Rows rows = levin::testing::batch(data, Split::train, {0, 1});
    CHECK(rows.shapes[0] == std::vector<int64_t>{2, table ? 4 : 2});
    if (table) {
      CHECK(numbers(rows, 1) == std::vector<int64_t>{1, 1, 1, 1, 1, 0, 0, 0});
      CHECK(numbers(rows, 0)[1] == 0 + numbers(rows, 0)[1]);
      CHECK(numbers(rows, 0)[5] == 0);
      CHECK(numbers(rows, 2) == std::vector<int64_t>{1, 0});
    } else {
      CHECK(numbers(rows, 2) == std::vector<int64_t>{0, 1});
    }
  }
  Component fixed(host, "text",
                  {{"file", folder.file("r.csv")},
                   {"task", "classification"},
                   {"padding", "max_length"},
                   {"max_length", 5},
                   {"stratify", true},
                   {"val_fraction", 0.34}});
  levin::testing::setup(fixed, Stage::fit);
  CHECK(levin::testing::describe(fixed, Split::val).rows == 2);
  const levin::testing::Rows val = levin::testing::batch(fixed, Split::val, {0, 1});
  CHECK(val.shapes[0] == std::vector<int64_t>{2, 5});
  CHECK(numbers(val, 2)[0] + numbers(val, 2)[1] == 1);
  Component grouped(host, "text",
                    {{"file", folder.file("r.csv")}, {"task", "classification"}, {"group", "who"}, {"val_rows", 2}});
  levin::testing::setup(grouped, Stage::fit);
  CHECK(levin::testing::describe(grouped, Split::val).rows == 2);
}

TEST_CASE("lists name texts by the number of the row, or by the path of the file") {
  const TempFolder folder;
  FakeHost host;
  Component table(
      host, "text",
      {{"file", folder.write("r.csv", reviews)}, {"task", "classification"}, {"val_list", folder.write("val", "5\n")}});
  levin::testing::setup(table, Stage::fit);
  CHECK(levin::testing::describe(table, Split::train).rows == 5);
  CHECK(levin::testing::batch(table, Split::val, {0}).shapes[0] == std::vector<int64_t>{1, 4});  // poor
  folder.write("set/neg/1.txt", "bad");
  folder.write("set/pos/1.txt", "good");
  folder.write("set/pos/2.txt", "fine");
  Component files(
      host, "text",
      {{"file", folder.file("set")}, {"task", "classification"}, {"val_list", folder.write("val", "pos/2\n")}});
  levin::testing::setup(files, Stage::fit);
  CHECK(levin::testing::describe(files, Split::train).rows == 2);
  CHECK_THROWS_WITH(Component(host, "text", {{"file", folder.file("r.csv")}, {"val_list", folder.file("val")}}),
                    ContainsSubstring("a language model learns from running text"));
}

TEST_CASE("the length of a text is the number of its tokens that are kept") {
  const TempFolder folder;
  FakeHost host;
  Component data(host, "text",
                 {{"file", folder.write("r.csv", reviews)},
                  {"task", "classification"},
                  {"tokenizer", "words"},
                  {"max_length", 3},
                  {"val_rows", 0}});
  levin::testing::setup(data, Stage::fit);
  const auto* table = static_cast<const levin_row_lengths*>(data.extension(LEVIN_ROW_LENGTHS));
  REQUIRE(table);
  std::vector<int64_t> lengths(6);
  REQUIRE(table->lengths(data.self(), LEVIN_TRAIN, 0, 6, lengths.data()) == LEVIN_OK);
  CHECK(lengths == std::vector<int64_t>{3, 1, 1, 2, 1, 1});
}

TEST_CASE("texts that cannot be used stop the run, or are listed or left out") {
  const TempFolder folder;
  FakeHost host;
  const std::string file = folder.write("r.csv", reviews + " ,pos,x\nlost,,x\n");
  const auto set_up = [&](const char* way) {
    Component data(host, "text", {{"file", file}, {"task", "classification"}, {"damaged", way}, {"val_rows", 0}});
    levin::testing::setup(data, Stage::fit);
    return levin::testing::describe(data, Split::train).rows;
  };
  CHECK_THROWS_WITH(set_up("stop"), ContainsSubstring("r.csv:8: the text is empty (--data.damaged skip"));
  CHECK_THROWS_WITH(set_up("check"), ContainsSubstring("2 of 8 rows") && ContainsSubstring("r.csv:9: the class"));
  CHECK(set_up("skip") == 6);
  folder.write("t/good.txt", "some text that is long enough");
  folder.write("t/wrong.txt", "line\nnot \xff text");
  const auto language = [&](const char* way) {
    Component data(host, "text", {{"file", folder.file("t")}, {"block_size", 4}, {"damaged", way}, {"val_rows", 0}});
    levin::testing::setup(data, Stage::fit);
    return levin::testing::describe(data, Split::train).rows;
  };
  CHECK_THROWS_WITH(language("stop"), ContainsSubstring("wrong.txt:2: not text in UTF-8"));
  CHECK(language("skip") == 7);
  folder.write("t/good.txt",
               "\xef\xbb\xbf"
               "8 bytes.");  // of 11 bytes there would be two rows
  CHECK(language("skip") == 1);
  folder.write("t/wrong.txt", std::string("\xff\xfeh\0i\0", 6));
  CHECK_THROWS_WITH(language("stop"), ContainsSubstring("wrong.txt is in UTF-16; convert it: iconv -f UTF-16"));
  folder.write("t/wrong.txt", std::string("a\nb\0c", 5));
  CHECK_THROWS_WITH(language("stop"), ContainsSubstring("wrong.txt:2: a zero byte: this is no text"));
  Component unknown(host, "text",
                    {{"file", folder.write("ok.csv", reviews)},
                     {"test_file", folder.write("t.csv", "text,label\nfine,odd\n")},
                     {"task", "classification"}});
  CHECK_THROWS_WITH(levin::testing::setup(unknown, Stage::fit),
                    ContainsSubstring("t.csv:2: the class 'odd' is none of the training rows"));
}

TEST_CASE("a checkpoint contains the vocabulary and the classes, so that new texts need no training file") {
  const TempFolder folder;
  FakeHost host;
  const std::string tokenizer = folder.write("tokenizer.json", small_tokenizer);
  Component trained(host, "text",
                    {{"file", folder.write("r.csv", "text,label\nabab,x\nb a,y\n")},
                     {"task", "classification"},
                     {"tokenizer", tokenizer},
                     {"val_rows", 0}});
  levin::testing::setup(trained, Stage::fit);
  const levin::testing::State state = trained.save();
  std::filesystem::remove(folder.file("r.csv"));
  std::filesystem::remove(tokenizer);
  Component predicts(
      host, "text",
      {{"file", "r.csv"}, {"predict_file", folder.write("new.csv", "text\nb abab\n")}, {"task", "classification"}});
  predicts.load(state);
  levin::testing::setup(predicts, Stage::predict);
  predicts.load(state);
  const levin::testing::Rows rows = levin::testing::batch(predicts, Split::predict, {0});
  CHECK(numbers(rows, 0) == std::vector<int64_t>{1, 4, 3});
  CHECK(numbers(rows, 2) == std::vector<int64_t>{-100});
  CHECK(levin::testing::describe(predicts, Split::predict).fields[2].classes == 2);

  Component other(host, "text",
                  {{"file", folder.write("o.csv", "text,label\nzz,x\nq,y\n")}, {"task", "classification"}});
  levin::testing::setup(other, Stage::fit);
  CHECK_THROWS_WITH(other.load(state), ContainsSubstring("with another vocabulary than the one of"));

  Component changed(host, "text",
                    {{"file", folder.write("r.csv", "text,label\nb a,x\nabab,y\n")},
                     {"task", "classification"},
                     {"tokenizer", folder.write("tokenizer.json", small_tokenizer)},
                     {"val_rows", 0}});
  levin::testing::setup(changed, Stage::fit);
  changed.load(state);
  CHECK_THAT(host.messages.back().second, ContainsSubstring("is not the text that the checkpoint was trained on"));
}

TEST_CASE("a tokenizer.json is read, and what it has beyond byte pairs is refused with its name") {
  const TempFolder folder;
  const auto tokenizer = text::tokenizer_of_file(folder.write("t.json", small_tokenizer));
  CHECK(encoded(*tokenizer, "ababab b<eot>a?") == std::vector<int32_t>{3, 2, 4, 1, 5, 0});
  CHECK(encoded(*text::tokenizer_of_saved(tokenizer->saved()), "abab") == std::vector<int32_t>{3});
  for (const char* saved : {"chars\n", "chars\n5 <pad>", "words\n9 <pad>5 <unk>"})
    CHECK_THROWS_WITH(text::tokenizer_of_saved(saved), ContainsSubstring("the checkpoint's vocabulary is damaged"));
  const auto refuse = [&](const std::string& json, const std::string& reason) {
    INFO(reason);
    CHECK_THROWS_WITH(text::tokenizer_of_file(folder.write("no.json", json)),
                      ContainsSubstring(reason) && ContainsSubstring("no.json"));
  };
  refuse("{", "damaged, or no tokenizer.json");
  refuse(std::string(1000000, '['), "nested deeper than 100 levels");
  refuse("[1]", "it has no model");
  refuse(R"({"model": {"type": "WordPiece", "vocab": {}}})", "its model is 'WordPiece'; BPE is supported");
  refuse(R"({"model": {"vocab": {"a": -1}, "merges": []}})", "the token 'a' has the id -1");
  refuse(R"({"model": {"vocab": {"a": 1e12}, "merges": []}})", "the token 'a' has the id");
  refuse(R"({"model": {"vocab": {"a": 0}, "merges": ["a b"]}})", "is of unknown tokens");
  refuse(R"({"model": {"vocab": {"a": 0}, "merges": [], "unk_token": "?"}})", "its unk_token '?' is no token");
  refuse(R"({"model": {"vocab": {}, "merges": []}, "normalizer": {"type": "NFKC"}})", "its normalizer is 'NFKC'");
  refuse(R"({"model": {"vocab": {}, "merges": []}, "pre_tokenizer": {"type": "BertPreTokenizer"}})",
         "its pre-tokenizer is 'BertPreTokenizer'");
  refuse(R"({"model": {"vocab": {}, "merges": []}, "pre_tokenizer": {"type": "Metaspace", "replacement": ""}})",
         "Metaspace (with a replacement)");
  refuse(R"({"model": {"vocab": {}, "merges": []}, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "x"}}})",
         "splits by a pattern that is not known: x");
  CHECK_THROWS_WITH(text::tokenizer_of_file("character"), ContainsSubstring("give chars, words"));
}

// Run by text_golden.py: compares the tokens of texts with those of Hugging Face's tokenizers.
TEST_CASE("tokens are equal to those of Python's tokenizers", "[.tokenizers]") {
  const char* folder = std::getenv("LEVIN_TOKENIZER_CASES");
  REQUIRE(folder != nullptr);
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cases") continue;
    const auto tokenizer = text::tokenizer_of_file(entry.path().string().substr(0, entry.path().string().size() - 6));
    for (const nlohmann::json& one : nlohmann::json::parse(bytes_of(entry.path()))) {
      const std::string words = one.at("text");
      INFO(entry.path() << ": " << one.at("text").dump());
      CHECK(encoded(*tokenizer, words) == one.at("ids").get<std::vector<int32_t>>());
      ++cases;
    }
  }
  CHECK(cases > 500);
}
