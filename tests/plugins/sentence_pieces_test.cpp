// Models of SentencePiece as tokenizers. tests/plugins/sentence_pieces_golden.py compares them with Python's.
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "plugins/text_data/tokenizer.hpp"
#include "temp_folder.hpp"

using levin::Split;
using levin::Stage;
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

// A unigram model of 26 pieces: <unk>, <s>, </s>, <pad>, ▁, t, a, he, ...
const std::string model_path = std::string(LEVIN_GOLDEN) + "/pieces.model";

std::vector<int32_t> tokens_of(const text::Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return ids;
}

}  // namespace

TEST_CASE("a model of SentencePiece is read, and kept in checkpoints") {
  const auto tokenizer = text::tokenizer_of_file(model_path);
  const std::vector<int32_t> expected = {4, 5, 7, 4, 21, 6, 5, 11, 8, 8, 12, 16, 8, 8, 12};
  CHECK(tokens_of(*tokenizer, "the cat sells shells") == expected);
  CHECK(tokens_of(*tokenizer, "  sea \n x") == std::vector<int32_t>{11, 6, 4, 0, 4, 0});
  CHECK(tokens_of(*tokenizer, "").empty());
  CHECK(tokenizer->names().size() == 26);
  CHECK(tokenizer->names()[7] == "he");
  CHECK(tokenizer->padding() == 3);
  CHECK(tokens_of(*text::tokenizer_of_saved(tokenizer->saved()), "the cat sells shells") == expected);
}

TEST_CASE("texts are classified by the tokens of a model of SentencePiece") {
  const TempFolder folder;
  FakeHost host;
  const std::string file = folder.write("t.csv", "text,label\nthe cat,a\nthe dog sat,b\nthe cat sat,a\nthe dog,b\n");
  Component data(host, "text",
                 {{"file", file}, {"task", "classification"}, {"tokenizer", model_path}, {"val_rows", 1}});
  levin::testing::setup(data, Stage::fit);
  const levin::testing::Rows rows = levin::testing::batch(data, Split::train, {0, 1, 2});
  CHECK(rows.shapes[0][0] == 3);
  CHECK(rows.at(0, 0) == 4);  // ▁
}

TEST_CASE("a file that is no model is refused with its name, and forged models never crash") {
  const TempFolder folder;
  for (const std::string& content : {std::string(5, '\0'), '\n' + std::string(9, '\0')})
    CHECK_THROWS_WITH(
        text::tokenizer_of_file(folder.write("no.model", content)),
        ContainsSubstring("no.model") && ContainsSubstring("neither a tokenizer.json nor a model of SentencePiece"));
  const std::string whole = bytes_of(model_path);
  CHECK_THROWS_WITH(text::tokenizer_of_saved("sentencepiece\n" + whole.substr(0, 100)),
                    ContainsSubstring("the checkpoint's tokenizer"));
  const std::string mapped = bytes_of(std::string(LEVIN_GOLDEN) + "/mapped_pieces.model");  // with a map of characters
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    std::string forged = i % 4 == 0 ? whole.substr(0, random() % whole.size()) : i % 4 == 1 ? whole : mapped;
    for (size_t change = 0; change < 1 + random() % 4 && !forged.empty(); ++change)
      forged[random() % forged.size()] = static_cast<char>(random());
    try {
      tokens_of(*text::tokenizer_of_saved("sentencepiece\n" + forged), "the cat sells \xef\xac\x81sh \n");
    } catch (const levin::Error&) {
    }
  }
}
