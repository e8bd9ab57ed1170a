#include "model.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <protozero/pbf_reader.hpp>

#include "../bpe/tokenizer_file.hpp"

namespace text::sentencepiece {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr uint32_t field(protozero::pbf_tag_type tag, pbf_wire_type type) { return protozero::tag_and_type(tag, type); }
constexpr uint32_t bytes_field(protozero::pbf_tag_type tag) { return field(tag, pbf_wire_type::length_delimited); }
constexpr uint32_t number_field(protozero::pbf_tag_type tag) { return field(tag, pbf_wire_type::varint); }

Piece read_piece(pbf_reader in) {
  Piece out;
  while (in.next()) switch (in.tag_and_type()) {
      case bytes_field(1):
        out.text = in.get_string();
        break;
      case field(2, pbf_wire_type::fixed32):
        out.score = in.get_float();
        break;
      case number_field(3):
        out.kind = static_cast<PieceKind>(in.get_int32());
        break;
      default:
        in.skip();
    }
  return out;
}
void read_training(pbf_reader in, Model& out) {
  while (in.next()) switch (in.tag_and_type()) {
      case number_field(3):
        out.kind = static_cast<ModelKind>(in.get_int32());
        break;
      case number_field(24):
        out.space_is_suffix = in.get_bool();
        break;
      case number_field(35):
        out.byte_fallback = in.get_bool();
        break;
      case bytes_field(47):
        out.end = in.get_string();
        break;
      case bytes_field(48):
        out.padding = in.get_string();
        break;
      default:
        in.skip();
    }
}
void read_normalizer(pbf_reader in, Model& out) {
  while (in.next()) switch (in.tag_and_type()) {
      case bytes_field(2):
        out.characters_map = in.get_string();
        break;
      case number_field(3):
        out.adds_space = in.get_bool();
        break;
      case number_field(4):
        out.removes_spaces = in.get_bool();
        break;
      case number_field(5):
        out.escapes_spaces = in.get_bool();
        break;
      default:
        in.skip();
    }
}
Model read_model(pbf_reader in) {
  Model out;
  while (in.next()) switch (in.tag_and_type()) {
      case bytes_field(1):
        out.pieces.push_back(read_piece(in.get_message()));
        break;
      case bytes_field(2):
        read_training(in.get_message(), out);
        break;
      case bytes_field(3):
        read_normalizer(in.get_message(), out);
        break;
      default:
        in.skip();
    }
  return out;
}

// Returns what is wrong with the pieces, or "".
std::string index_pieces(Model& model) {
  std::array<bool, 256> has_byte{};
  for (size_t i = 0; i < model.pieces.size(); ++i) {
    const Piece& piece = model.pieces[i];
    const std::string name = "the piece " + std::to_string(i);
    if (piece.kind < PieceKind::normal || piece.kind > PieceKind::byte) return name + " is of an unknown type";
    if (piece.text.empty()) return name + " is empty";
    const bool is_found =
        piece.kind == PieceKind::normal || piece.kind == PieceKind::user_defined || piece.kind == PieceKind::unused;
    if (!(is_found ? model.ids : model.reserved).emplace(piece.text, static_cast<int32_t>(i)).second)
      return name + " is there twice: '" + piece.text + "'";
    if (piece.kind == PieceKind::unknown) {
      if (model.unknown >= 0) return "it has two unknown pieces";
      model.unknown = static_cast<int32_t>(i);
    }
    if (piece.kind == PieceKind::normal) {
      model.least_score = std::min(model.least_score, piece.score);
      model.most_score = std::max(model.most_score, piece.score);
    }
    unsigned byte = 0;
    if (piece.kind == PieceKind::byte && std::sscanf(piece.text.c_str(), "<0x%2X>", &byte) == 1)
      has_byte[byte & 0xFF] = true;
  }
  if (model.unknown < 0) return "it has no unknown piece";
  if (model.byte_fallback)
    for (const bool there : has_byte)
      if (!there) return "it has not a piece for each byte, and is to use them";
  return "";
}

}  // namespace

int32_t Model::id_of(const std::string& piece) const {
  for (const auto* of : {&reserved, &ids}) {
    const auto found = of->find(piece);
    if (found != of->end()) return found->second;
  }
  return unknown;
}

Model parse_model(const std::string& bytes, const std::string& path) {
  const std::string no_model = "it is neither a tokenizer.json nor a model of SentencePiece";
  Model model;
  try {
    model = read_model(pbf_reader(bytes));
  } catch (const protozero::exception&) {
    refuse_tokenizer(path, no_model);
  }
  if (model.pieces.empty()) refuse_tokenizer(path, no_model);
  if (model.kind < ModelKind::unigram || model.kind > ModelKind::character)
    refuse_tokenizer(path, "the SentencePiece model is of an unknown type");
  const std::string wrong = index_pieces(model);
  if (!wrong.empty()) refuse_tokenizer(path, "the SentencePiece model is damaged: " + wrong);
  return model;
}

}  // namespace text::sentencepiece
