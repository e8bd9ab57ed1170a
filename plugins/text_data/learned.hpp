// Tokenizers whose vocabulary is learned from the training text: characters and words.
#pragma once
#include <unordered_map>

#include "tokenizer.hpp"

namespace text {

// Counts the characters ("chars") or words ("words", "words lowercase") of texts.
class Counts {
 public:
  explicit Counts(std::string kind) : kind_(std::move(kind)) {}
  void add(std::string_view text);
  // Returns the names of the vocabulary: <pad>, <unk>, then all characters in their order, or the most frequent words,
  // `most` names in all.
  std::vector<std::string> names(size_t most) const;

 private:
  std::string kind_;
  std::unordered_map<std::string, int64_t> counts_;
};

class Learned : public Tokenizer {
 public:
  // kind: as above. most: the largest size of the vocabulary.
  Learned(std::string kind, const Counts& counts, size_t most) : Learned(std::move(kind), counts.names(most)) {}
  // saved: the names, each behind its length and a blank. Throws levin::Error for another text.
  Learned(std::string kind, const std::string& saved);
  void encode(std::string_view text, std::vector<int32_t>& out) const override;
  const std::vector<std::string>& names() const override { return names_; }
  std::string saved() const override;
  int32_t padding() const override { return 0; }

 private:
  Learned(std::string kind, std::vector<std::string> names);
  std::string kind_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int32_t> ids_;
};

// Returns true for chars, words and words lowercase.
bool is_learned(const std::string& kind);

}  // namespace text
