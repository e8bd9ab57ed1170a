#include <algorithm>

#include "characters.hpp"
#include "segmentation.hpp"

namespace text::sentencepiece {

// Viterbi's algorithm over the ends of pieces. Scores are added in the types of SentencePiece, so that ties end alike.
Segments unigram_segments(const Model& model, const Prefixes& pieces, std::string_view text) {
  const float unknown_score = model.least_score - 10.0F;
  struct End {
    int32_t id = -1;
    float score = 0;
    size_t begin = 0;
  };
  std::vector<End> ends(text.size() + 1);
  const auto offer = [&](size_t begin, size_t end, int32_t id, double score) {
    const double sum = score + ends[begin].score;
    if (ends[end].id < 0 || sum > ends[end].score) ends[end] = {id, static_cast<float>(sum), begin};
  };
  for (size_t at = 0, length = 0; at < text.size(); at += length) {
    length = character_length(text.substr(at));
    bool has_character = false;
    pieces.each(text.substr(at), [&](size_t n, int32_t id) {
      const Piece& piece = model.pieces[static_cast<size_t>(id)];
      if (piece.kind == PieceKind::unused) return;
      offer(
          at, at + n, id,
          piece.kind == PieceKind::user_defined ? static_cast<float>(n) * model.most_score - 0.1 : double{piece.score});
      has_character = has_character || n == length;
    });
    if (!has_character) offer(at, at + length, model.unknown, unknown_score);
  }
  Segments out;
  for (size_t end = text.size(); end > 0; end = ends[end].begin)
    out.emplace_back(text.substr(ends[end].begin, end - ends[end].begin), ends[end].id);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace text::sentencepiece
