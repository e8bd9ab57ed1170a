// The texts of files and folders.
#pragma once
#include <string>
#include <vector>

#include "options.hpp"

namespace text {

using common::Damage;

struct Document {
  std::string text, place;  // place: "reviews.csv:12" or "pos/1.txt"
  std::string label, group;
  bool has_label = false;
  int64_t number = -1;  // of a row of a table, from 0
};

// Returns the bytes of a file. Throws levin::Error if it cannot be read or does not fit into memory.
std::string read_file(const std::string& path);

// Returns the text of a file, or of the files below a folder in the order of their names. Hidden files are left out.
std::vector<Document> read_texts(const std::string& path, Damage& damage);

// Returns texts with their classes: the rows of a CSV or TSV file, or the files in folders named after the classes.
// A CSV file without the column of classes has rows to predict if `needs_labels` is false.
std::vector<Document> read_labelled(const std::string& path, const Options& options, bool needs_labels, Damage& damage);

}  // namespace text
