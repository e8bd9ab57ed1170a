// Models of SentencePiece: unigram, byte-pair, words and characters.
#pragma once
#include <memory>
#include <string>

#include "../tokenizer.hpp"

namespace text {

// model: the bytes of the file. Throws levin::Error if they are no model.
std::unique_ptr<Tokenizer> sentence_pieces(const std::string& model, const std::string& path);

}  // namespace text
