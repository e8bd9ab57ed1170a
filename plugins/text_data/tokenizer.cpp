#include "tokenizer.hpp"

#include <sys/stat.h>

#include "bpe/tokenizer_file.hpp"
#include "documents.hpp"
#include "learned.hpp"
#include "levin/error.hpp"
#include "sentencepiece/sentence_pieces.hpp"

namespace text {

std::unique_ptr<Tokenizer> tokenizer_of_file(const std::string& path) {
  struct stat st {};
  if (stat(path.c_str(), &st) != 0 || S_ISDIR(st.st_mode))
    throw levin::Error(LEVIN_E_NOT_FOUND,
                       "--data.tokenizer " + path +
                           ": there is no such file; give chars, words, a tokenizer.json or a model of SentencePiece");
  const std::string content = read_file(path);
  const bool is_text = content.find('\0') == content.npos;
  return is_text ? parse_tokenizer(content, path) : sentence_pieces(content, path);
}

std::unique_ptr<Tokenizer> tokenizer_of_saved(const std::string& saved) {
  const size_t line = saved.find('\n');
  const std::string kind = saved.substr(0, line);
  if (line != saved.npos && kind == "file")
    return parse_tokenizer(saved.substr(line + 1), "the checkpoint's tokenizer");
  if (line != saved.npos && kind == "sentencepiece")
    return sentence_pieces(saved.substr(line + 1), "the checkpoint's tokenizer");
  if (line != saved.npos && is_learned(kind)) return std::make_unique<Learned>(kind, saved.substr(line + 1));
  throw levin::Error(LEVIN_E_STATE, "the checkpoint's tokenizer is of another version: '" + kind.substr(0, 20) + "'");
}

}  // namespace text
