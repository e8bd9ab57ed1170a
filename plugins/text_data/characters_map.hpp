// The map of characters in a model of SentencePiece. The library follows it without bounds.
#pragma once
#include <string>

namespace text {

// Returns true if each map in the model stays within its memory for any text. model: the bytes of the file.
bool has_sound_maps(const std::string& model);

}  // namespace text
