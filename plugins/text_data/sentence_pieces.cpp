#include "sentence_pieces.hpp"

#ifdef LEVIN_WITH_SENTENCEPIECE
#include <sentencepiece_processor.h>
#endif

#include <exception>

#include "bpe/tokenizer_file.hpp"
#include "characters_map.hpp"

namespace text {

#ifdef LEVIN_WITH_SENTENCEPIECE
namespace {

class SentencePieces : public Tokenizer {
 public:
  SentencePieces(const std::string& model, const std::string& path) : model_(model), path_(path) {
    if (!loads()) refuse_tokenizer(path_, "it is neither a tokenizer.json nor a model of SentencePiece");
    for (int id = 0; id < processor_.GetPieceSize(); ++id) names_.push_back(processor_.IdToPiece(id));
  }

  // As SentencePieceProcessor.encode(text) in Python.
  void encode(std::string_view text, std::vector<int32_t>& out) const override {
    std::vector<int> ids;
    if (!processor_.Encode({text.data(), text.size()}, &ids).ok())
      refuse_tokenizer(path_, "SentencePiece cannot encode a text with it");
    out.insert(out.end(), ids.begin(), ids.end());
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::string saved() const override { return "sentencepiece\n" + model_; }
  int32_t padding() const override {
    for (const int id : {processor_.pad_id(), processor_.eos_id()})
      if (id >= 0) return id;
    return 0;
  }

 private:
  bool loads() try {
    return has_sound_maps(model_) && processor_.LoadFromSerializedProto(model_).ok();
  } catch (const std::exception&) {  // of the library, for example for a piece without characters
    return false;
  }

  const std::string model_, path_;
  sentencepiece::SentencePieceProcessor processor_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Tokenizer> sentence_pieces(const std::string& model, const std::string& path) {
  return std::make_unique<SentencePieces>(model, path);
}
#else
std::unique_ptr<Tokenizer> sentence_pieces(const std::string&, const std::string& path) {
  refuse_tokenizer(path,
                   "it is no tokenizer.json, and this build of the data module text reads no models of SentencePiece: "
                   "install Debian's libsentencepiece-dev, then scripts/build --plugins text_data");
}
#endif

}  // namespace text
