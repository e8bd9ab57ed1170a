#include "sentence_pieces.hpp"

#include <algorithm>
#include <cstdio>

#include "characters.hpp"
#include "segmentation.hpp"

namespace text::sentencepiece {
namespace {

class SentencePieces : public Tokenizer {
 public:
  SentencePieces(const std::string& bytes, const std::string& path)
      : bytes_(bytes),
        model_(parse_model(bytes, path)),
        pieces_(keys(false)),
        user_defined_(keys(true)),
        characters_(model_, user_defined_) {
    for (const Piece& piece : model_.pieces) names_.push_back(piece.text);
  }

  // Words are segmented one by one where no piece spans two of them. The sums of scores of a long text would be rough.
  void encode(std::string_view text, std::vector<int32_t>& out) const override {
    const std::string normal = characters_.normal(text);
    bool was_unknown = false;
    for (std::string_view rest = normal; !rest.empty();) {
      const std::string_view word = words_are_apart_ ? rest.substr(0, end_of_word(rest)) : rest;
      for (const auto& [part, id] : segments(word)) {
        const bool is_unknown = id == model_.unknown || model_.kind_of(id) == PieceKind::unused;
        if (is_unknown && model_.byte_fallback)
          for (const char byte : part) out.push_back(byte_piece(byte));
        else if (!is_unknown || !was_unknown)  // unknown pieces in a row are one
          out.push_back(is_unknown ? model_.unknown : id);
        was_unknown = is_unknown;
      }
      rest.remove_prefix(word.size());
    }
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::string saved() const override { return "sentencepiece\n" + bytes_; }
  int32_t padding() const override {
    for (const std::string* name : {&model_.padding, &model_.end}) {
      const auto found = model_.reserved.find(*name);
      if (found != model_.reserved.end() && model_.kind_of(found->second) == PieceKind::control) return found->second;
    }
    return 0;
  }

 private:
  // Returns the place of the space mark behind the first word; marks before the word belong to it.
  static size_t end_of_word(std::string_view text) {
    size_t at = 0;
    while (text.compare(at, space_mark.size(), space_mark) == 0) at += space_mark.size();
    return std::min(text.find(space_mark, at), text.size());
  }
  bool are_words_apart() const {
    for (const auto& [piece, id] : model_.ids)
      if (end_of_word(piece) < piece.size()) return false;
    return true;
  }
  std::vector<Prefixes::Key> keys(bool user_defined) const {
    std::vector<Prefixes::Key> out;
    for (const auto& [piece, id] : model_.ids)
      if (!user_defined || model_.kind_of(id) == PieceKind::user_defined) out.emplace_back(piece, id);
    return out;
  }
  Segments segments(std::string_view normal) const {
    switch (model_.kind) {
      case ModelKind::unigram:
        return unigram_segments(model_, pieces_, normal);
      case ModelKind::bpe:
        return merged_segments(model_, user_defined_, normal);
      case ModelKind::word:
        return word_segments(model_, normal);
      case ModelKind::character:
        break;
    }
    return character_segments(model_, user_defined_, normal);
  }
  int32_t byte_piece(char byte) const {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(static_cast<uint8_t>(byte)));
    return model_.id_of(name);
  }

  const std::string bytes_;
  const Model model_;
  const Prefixes pieces_, user_defined_;
  const Characters characters_;
  const bool words_are_apart_ = are_words_apart();
  std::vector<std::string> names_;
};

}  // namespace
}  // namespace text::sentencepiece

std::unique_ptr<text::Tokenizer> text::sentence_pieces(const std::string& model, const std::string& path) {
  return std::make_unique<sentencepiece::SentencePieces>(model, path);
}
