// Cuts a normal text into pieces, as each kind of SentencePiece model does.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "model.hpp"
#include "prefixes.hpp"

namespace text::sentencepiece {

// Parts of the text and their pieces.
using Segments = std::vector<std::pair<std::string_view, int32_t>>;

// The most probable pieces, by their scores. pieces: those that are found in texts.
Segments unigram_segments(const Model& model, const Prefixes& pieces, std::string_view text);
// Characters, whose neighbours are merged into the piece with the highest score, again and again.
Segments merged_segments(const Model& model, const Prefixes& user_defined, std::string_view text);
Segments word_segments(const Model& model, std::string_view text);
Segments character_segments(const Model& model, const Prefixes& user_defined, std::string_view text);

}  // namespace text::sentencepiece
