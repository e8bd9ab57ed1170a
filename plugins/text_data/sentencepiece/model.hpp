// The file of a SentencePiece model: a ModelProto of sentencepiece_model.proto.
#pragma once
#include <cfloat>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace text::sentencepiece {

// The numbers are those of the file.
enum class PieceKind : uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };
enum class ModelKind : uint8_t { unigram = 1, bpe = 2, word = 3, character = 4 };

struct Piece {
  std::string text;
  float score = 0;
  PieceKind kind = PieceKind::normal;
};

struct Model {
  std::vector<Piece> pieces;
  ModelKind kind = ModelKind::unigram;
  bool byte_fallback = false, space_is_suffix = false;
  std::string padding = "<pad>", end = "</s>";  // names of pieces
  std::string characters_map;
  bool adds_space = true, removes_spaces = true, escapes_spaces = true;

  // Derived from the pieces.
  std::unordered_map<std::string, int32_t> ids;       // of pieces that are found in texts
  std::unordered_map<std::string, int32_t> reserved;  // of unknown, control and byte pieces
  int32_t unknown = -1;
  float least_score = FLT_MAX, most_score = FLT_MIN;  // of normal pieces

  // Returns the unknown piece if there is none of that name.
  int32_t id_of(const std::string& piece) const;
  PieceKind kind_of(int32_t id) const { return pieces[static_cast<size_t>(id)].kind; }
};

// path: for messages. Throws levin::Error if these are not the bytes of a model.
Model parse_model(const std::string& bytes, const std::string& path);

}  // namespace text::sentencepiece
