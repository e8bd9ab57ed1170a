// The options of the text data module.
#pragma once
#include <string>

#include "../common/damaged_rows.hpp"
#include "../common/split_options.hpp"

namespace text {

inline constexpr const char* tasks[] = {"language_model", "classification", nullptr};
inline constexpr const char* paddings[] = {"longest", "max_length", nullptr};

inline constexpr levin_option own_options[] = {
    levin::required(levin::path("file", nullptr,
                                "text file, or folder of text files; for classification a CSV or TSV file, or a folder "
                                "with a folder of text files for each class")),
    levin::path("val_file", "\"\"", "file or folder of the validation rows, instead of a fraction of file"),
    levin::path("test_file", "\"\"", "file or folder of the test rows"),
    levin::path("predict_file", "\"\"", "file or folder of the rows to predict; empty = the test rows, or all"),
    levin::choice("task", "\"language_model\"",
                  "language_model = blocks of tokens and, as targets, the token behind each; classification = a class "
                  "for each text",
                  tasks),
    levin::text("tokenizer", "\"chars\"",
                "chars, words, the tokenizer.json (byte-pair encoding) of Hugging Face's tokenizers, or a model of "
                "SentencePiece"),
    levin::flag("lowercase", "false", "words: make the letters A to Z small"),
    levin::integer("max_vocabulary", "30000", "words: size of the vocabulary; rarer words become <unk>", 3, 10000000),
    levin::integer("block_size", "128", "language_model: tokens in a row", 1, 16777216),
    levin::with(levin::integer("stride", "null",
                               "language_model: tokens between the beginnings of two training rows; null = block_size",
                               1, 16777216),
                LEVIN_OPT_NULLABLE),
    levin::integer("max_length", "512", "classification: tokens of a text that are kept", 1, 16777216),
    levin::choice("padding", "\"longest\"",
                  "classification: fill rows up to the longest of the batch, or to max_length", paddings),
    levin::text("text_column", "\"text\"", "classification, CSV: column of the text, name or index from 0"),
    levin::text("label_column", "\"label\"", "classification, CSV: column of the class, name or index from 0"),
    levin::text("group", "\"\"", "CSV: column whose equal values keep rows in one split; empty = none"),
    levin::text("delimiter", "\"auto\"",
                "CSV: a character, or comma, semicolon, tab, space; auto = detected in the first line"),
    common::damaged_rows_option};
inline constexpr auto text_options = common::joined(own_options, common::split_options);

struct Options {
  explicit Options(const levin::Args& o);

  std::string file, val_file, test_file, predict_file;
  bool classify;
  std::string tokenizer;  // chars, words, words lowercase, or a path
  size_t max_vocabulary;
  int64_t block_size, stride, max_length;
  bool pad_to_longest;
  std::string text_column, label_column, group;
  char delimiter;  // 0 = detected
  std::string damaged;
  common::Splitting splitting;
};

}  // namespace text
