// A model of SentencePiece, and a text for it.
#include "plugins/text_data/sentencepiece/sentence_pieces.hpp"
#include "levin/error.hpp"
#include "tests/fuzz/target.hpp"

LEVIN_FUZZ_TARGET(sentence_pieces) {
  try {
    std::vector<int32_t> ids;
    text::sentence_pieces(levin::fuzz::text_of(data, size), "pieces.model")
        ->encode("the cat sells \xef\xac\x81sh \n", ids);
  } catch (const levin::Error&) {
  }
}
