// The added tokens of a tokenizer.json, such as <|endoftext|>: they are found in the text before anything is merged.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace text {

struct AddedToken {
  std::string content;
  int32_t id = 0;
  bool takes_left = false, takes_right = false;  // also the spaces beside it
};

// A part of a text: an added token, or the text between two.
struct Part {
  std::string text;
  int32_t id = -1;  // -1 = a text
};

class AddedTokens {
 public:
  void add(AddedToken token);
  // Cuts the texts among these parts at the tokens: the leftmost first, and the longest that begins there.
  std::vector<Part> find(const std::vector<Part>& parts) const;

 private:
  const AddedToken* at(std::string_view rest) const;
  void cut(const std::string& text, std::vector<Part>& out) const;
  std::vector<AddedToken> by_first_[256];  // by the first byte, the longest first
};

}  // namespace text
