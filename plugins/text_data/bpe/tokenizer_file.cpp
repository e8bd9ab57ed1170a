#include "tokenizer_file.hpp"

#include "../../common/json_text.hpp"
#include "added_tokens.hpp"
#include "levin/error.hpp"
#include "merge.hpp"
#include "normalizer.hpp"
#include "pieces.hpp"

namespace text {
namespace {

using nlohmann::json;

constexpr size_t most_tokens = 10000000, most_remembered = 1 << 16, longest_remembered = 64;

class TokenizerFile : public Tokenizer {
 public:
  TokenizerFile(const std::string& text, const std::string& path) : text_(text), path_(path) {
    const json file = common::parsed_json<json>(text, path);
    if (!file.is_object() || !file.contains("model") || !file["model"].is_object())
      refuse_tokenizer(path, "it is no tokenizer.json of Hugging Face's tokenizers: it has no model");
    read_model(file["model"]);
    normalizer_ = Normalizer(file.value("normalizer", json()), path);
    pre_tokenizer_ = make_pre_tokenizer(file.value("pre_tokenizer", json()), path);
    for (const json& token : file.value("added_tokens", json::array())) read_added(token);
  }

  void encode(std::string_view text, std::vector<int32_t>& out) const override {
    bool first = true;
    for (Part& part : raw_.find({{std::string(text), -1}})) {
      if (part.id >= 0) {
        out.push_back(part.id);
        first = false;
        continue;
      }
      for (const Part& normal : normalized_.find({{normalizer_.apply(part.text), -1}})) {
        if (normal.id >= 0)
          out.push_back(normal.id);
        else
          for (const std::string& piece : pre_tokenizer_->cut({normal.text}, first)) encode_piece(piece, out);
        first = false;
      }
    }
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::string saved() const override { return "file\n" + text_; }
  int32_t padding() const override {
    for (const char* name : {"<pad>", "[PAD]", "<|padding|>", "<|endoftext|>", "</s>"}) {
      const auto found = merger_.ids.find(name);
      if (found != merger_.ids.end()) return found->second;
    }
    return 0;
  }

 private:
  void read_model(const json& model) {
    const std::string type = model.value("type", "BPE");
    if (type != "BPE" || !model.contains("merges"))
      refuse_tokenizer(path_, "its model is '" + type + "'; BPE is supported");
    const json dropout = model.value("dropout", json());
    if (!dropout.is_null() && dropout != 0) refuse_tokenizer(path_, "its model drops merges at random (dropout)");
    for (const auto& [token, id] : model.at("vocab").items()) name(token, id);
    for (const char* part : {"continuing_subword_prefix", "end_of_word_suffix"})
      if (model.contains(part) && model[part].is_string())
        (part[0] == 'c' ? merger_.prefix : merger_.suffix) = model[part];
    if (model.contains("unk_token") && model["unk_token"].is_string()) {
      const std::string unknown = model["unk_token"];
      if (merger_.ids.count(unknown) == 0) refuse_tokenizer(path_, "its unk_token '" + unknown + "' is no token");
      merger_.unknown = merger_.ids[unknown];
    }
    merger_.fuse_unknown = model.value("fuse_unk", false);
    merger_.byte_fallback = model.value("byte_fallback", false);
    merger_.ignore_merges = model.value("ignore_merges", false);
    for (const json& pair : model.at("merges")) read_merge(pair);
  }

  void read_merge(const json& pair) {
    std::string left, right;
    if (pair.is_array() && pair.size() == 2) {
      left = pair[0], right = pair[1];
    } else {
      const std::string both = pair;
      const size_t space = both.find(' ');
      if (space != both.npos) left = both.substr(0, space), right = both.substr(space + 1);
    }
    if (!merger_.add(left, right)) refuse_tokenizer(path_, "the merge " + pair.dump() + " is of unknown tokens");
  }

  void read_added(const json& token) {
    AddedToken added{token.at("content"), token.at("id"), token.value("lstrip", false), token.value("rstrip", false)};
    if (token.value("single_word", false))
      refuse_tokenizer(path_, "the added token '" + added.content + "' is for single words, which is not supported");
    name(added.content, added.id);
    if (!token.value("normalized", true)) return raw_.add(added);
    added.content = normalizer_.apply(added.content);
    normalized_.add(added);
  }

  void name(const std::string& token, int64_t id) {
    if (id < 0 || static_cast<size_t>(id) >= most_tokens)
      refuse_tokenizer(path_, "the token '" + token + "' has the id " + std::to_string(id));
    if (names_.size() <= static_cast<size_t>(id)) names_.resize(static_cast<size_t>(id) + 1);
    names_[static_cast<size_t>(id)] = token;
    merger_.ids[token] = static_cast<int32_t>(id);
  }

  void encode_piece(const std::string& piece, std::vector<int32_t>& out) const {
    if (piece.size() > longest_remembered) return merger_.encode(piece, out);
    const auto found = remembered_.find(piece);
    if (found != remembered_.end()) return void(out.insert(out.end(), found->second.begin(), found->second.end()));
    std::vector<int32_t> ids;
    merger_.encode(piece, ids);
    out.insert(out.end(), ids.begin(), ids.end());
    if (remembered_.size() < most_remembered) remembered_.emplace(piece, std::move(ids));
  }

  const std::string text_, path_;
  std::vector<std::string> names_;
  Merger merger_;
  Normalizer normalizer_;
  std::unique_ptr<PreTokenizer> pre_tokenizer_;
  AddedTokens raw_, normalized_;
  mutable std::unordered_map<std::string, std::vector<int32_t>> remembered_;  // words repeat
};

}  // namespace

void refuse_tokenizer(const std::string& path, const std::string& what) {
  throw levin::Error(LEVIN_E_INVALID, "--data.tokenizer " + path + " cannot be used: " + what);
}

std::unique_ptr<Tokenizer> parse_tokenizer(const std::string& text, const std::string& path) try {
  return std::make_unique<TokenizerFile>(text, path);
} catch (const nlohmann::json::exception& e) {
  refuse_tokenizer(path, std::string("it is damaged, or no tokenizer.json: ") + common::reason_of(e));
}

}  // namespace text
