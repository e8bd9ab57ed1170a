// Models of SentencePiece (unigram, byte-pair, words, characters), read by the library of that name.
#pragma once
#include <memory>
#include <string>

#include "tokenizer.hpp"

namespace text {

// model: the bytes of the file. Throws levin::Error if they are no model, or if this plugin was built without the
// library.
std::unique_ptr<Tokenizer> sentence_pieces(const std::string& model, const std::string& path);

}  // namespace text
