// The pre-tokenizers of a tokenizer.json: they cut a text into the pieces within which pairs are merged.
#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace text {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Cuts each of the pieces further, and may change their text. first: the pieces begin the text.
  virtual std::vector<std::string> cut(std::vector<std::string> pieces, bool first) const = 0;
};

// Throws levin::Error for a pre-tokenizer that is not supported. path: of the file, for messages.
std::unique_ptr<PreTokenizer> make_pre_tokenizer(const nlohmann::json& json, const std::string& path);

}  // namespace text
