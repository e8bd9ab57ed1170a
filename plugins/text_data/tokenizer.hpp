// Tokenizers: a text becomes numbers, one for each token.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace text {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  // Appends the tokens of a valid UTF-8 text. Not thread-safe.
  virtual void encode(std::string_view text, std::vector<int32_t>& out) const = 0;
  virtual const std::vector<std::string>& names() const = 0;  // of the tokens
  virtual std::string saved() const = 0;                      // what tokenizer_of_saved() reads
  virtual int32_t padding() const = 0;                        // the token that fills short rows up
};

// Reads a tokenizer.json or a model of SentencePiece. Throws levin::Error if it cannot be used.
std::unique_ptr<Tokenizer> tokenizer_of_file(const std::string& path);
// Throws levin::Error if the text is not what saved() returned.
std::unique_ptr<Tokenizer> tokenizer_of_saved(const std::string& saved);

}  // namespace text
