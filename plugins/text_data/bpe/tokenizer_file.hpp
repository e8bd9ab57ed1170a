// A tokenizer.json of Hugging Face's library tokenizers, with byte-pair encoding (BPE).
#pragma once
#include <memory>
#include <string>

#include "../tokenizer.hpp"

namespace text {

// Throws levin::Error for a text that is no such file, and for parts of it that are not supported. path: for messages.
std::unique_ptr<Tokenizer> parse_tokenizer(const std::string& json, const std::string& path);

[[noreturn]] void refuse_tokenizer(const std::string& path, const std::string& what);

}  // namespace text
