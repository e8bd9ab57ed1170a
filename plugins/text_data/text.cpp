// Texts as tokens: blocks for language models, and padded rows for classification.
#include <algorithm>
#include <map>
#include <optional>

#include "../common/class_names.hpp"
#include "../common/counted.hpp"
#include "../common/file_module.hpp"
#include "blocks.hpp"
#include "documents.hpp"
#include "learned.hpp"
#include "levin/levin.hpp"
#include "tokens.hpp"

namespace text {

using common::counted;

namespace {

// Returns the classes of the texts in their order.
std::vector<std::string> classes_of(const std::vector<Document>& documents, const std::string& path) {
  std::vector<std::string> names;
  for (const Document& document : documents) names.push_back(document.label);
  common::sort_classes(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() < 2)
    throw levin::Error(LEVIN_E_IO, path + " has one class only, '" + names[0] + "': there is nothing to tell apart");
  return names;
}

}  // namespace

class TextData : public common::FileModule<text_options> {
 public:
  static constexpr bool state_before_setup = true;  // new texts can be used without the training texts

  explicit TextData(const levin::Args& o) : options_(o) {}

  void setup(levin::Stage stage) {
    fits_ = stage == levin::Stage::fit;
    if (is_set_up_) return;
    Damage damage(options_.damaged);
    const std::string own = loaded_.empty() ? "" : own_file_of(stage);
    if (!loaded_.empty()) use_checkpoint();
    if (own.empty())
      set_up(damage);
    else
      open(split_of(stage), own, damage);
    const std::string report = damage.report();
    if (!report.empty()) warn(report);
    is_set_up_ = true;
  }

  std::vector<levin::Field> fields() {
    const auto n = static_cast<int64_t>(tokenizer_->names().size());
    const std::vector<std::string>& names = tokenizer_->names();
    if (options_.classify) {
      const std::vector<int64_t> shape = {options_.pad_to_longest ? -1 : options_.max_length};
      levin::Field x = levin::input("x", levin::int64, shape);
      x.classes = n;
      return {x,
              {"mask", levin::uint8, shape, LEVIN_ROLE_OTHER, 0, {}},
              levin::target("y", static_cast<int64_t>(classes_.size()), classes_)};
    }
    levin::Field x = levin::input("x", levin::int64, {options_.block_size});
    x.classes = n;
    const bool all_named = std::find(names.begin(), names.end(), "") == names.end();
    levin::Field y = levin::target("y", n, all_named ? names : std::vector<std::string>{});
    y.shape = {options_.block_size};
    return {x, y};
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(part(split).rows.size()); }
  std::string row_name(levin::Split split, int64_t index) {
    const Part& from = part(split);
    const uint64_t row = from.rows.at(static_cast<size_t>(index));
    return options_.classify ? from.tokens->places[row] : "token " + std::to_string(row);
  }

  int64_t row_length(levin::Split split, int64_t index) {
    const Part& from = part(split);
    const uint64_t row = from.rows.at(static_cast<size_t>(index));
    if (!options_.classify) return options_.block_size;
    return static_cast<int64_t>(from.tokens->begins[row + 1] - from.tokens->begins[row]);
  }

  void batch(const levin::Fill& in, std::vector<levin_managed*>& out) {
    options_.classify ? batch_of_texts(in, out) : batch_of_blocks(in, out);
  }

  void save(levin::Writer writer) const {
    if (!tokenizer_ && loaded_.empty()) return;
    writer.put("tokenizer", tokenizer_ ? saved_ : loaded_);
    writer.put("classes", common::packed_names(tokenizer_ ? classes_ : loaded_classes_));
    writer.put("checksum", checksum_);
  }
  void load(levin::Reader reader) {
    std::string saved, names;
    if (!reader.get("tokenizer", saved) || !reader.get("classes", names)) return;
    loaded_ = saved;
    loaded_classes_ = common::unpacked_names(names);
    uint64_t checksum = 0;
    reader.get("checksum", checksum);
    if (!is_set_up_)
      checksum_ = checksum;
    else
      compare(checksum);
  }

 private:
  struct Part {
    std::shared_ptr<const Tokens> tokens;
    std::vector<uint64_t> rows;  // language model: first tokens; classification: texts
  };
  Part& part(levin::Split split) { return parts_[static_cast<size_t>(split)]; }

  static levin::Split split_of(levin::Stage stage) {
    return stage == levin::Stage::predict ? levin::Split::predict
           : stage == levin::Stage::test  ? levin::Split::test
                                          : levin::Split::val;
  }
  // Returns the file whose rows are used with a checkpoint, so that the training file is not needed; "" = none.
  std::string own_file_of(levin::Stage stage) const {
    if (stage == levin::Stage::predict) return options_.predict_file;
    if (stage == levin::Stage::test) return options_.test_file;
    return stage == levin::Stage::validate ? options_.val_file : "";
  }
  void use_checkpoint() {
    tokenizer_ = tokenizer_of_saved(loaded_);
    saved_ = loaded_;
    classes_ = loaded_classes_;
    if (options_.classify != !classes_.empty())
      throw levin::Error(LEVIN_E_STATE, std::string("the checkpoint was trained for ") +
                                            (classes_.empty() ? "language modelling" : "classification") +
                                            ": give --data.task as in the training");
  }

  // Compares these texts with those of the checkpoint.
  void compare(uint64_t checksum) const {
    if (loaded_ != saved_ || loaded_classes_ != classes_)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained with another " +
                                            std::string(loaded_ == saved_ ? "list of classes" : "vocabulary") +
                                            " than the one of " + options_.file + ": go on with the file that trained");
    if (fits_ && checksum != checksum_)
      warn(options_.file + " is not the text that the checkpoint was trained on: rows that trained may validate now");
  }

  std::vector<Document> documents(const std::string& path, bool needs_labels, Damage& damage) const {
    return options_.classify ? read_labelled(path, options_, needs_labels, damage) : read_texts(path, damage);
  }
  void learn(const std::vector<Document>& documents) {
    if (!is_learned(options_.tokenizer)) {
      tokenizer_ = tokenizer_of_file(options_.tokenizer);
    } else {
      Counts counts(options_.tokenizer);
      for (const Document& document : documents) counts.add(document.text);
      tokenizer_ = std::make_unique<Learned>(options_.tokenizer, counts, options_.max_vocabulary);
    }
    saved_ = tokenizer_->saved();
    if (options_.classify) classes_ = classes_of(documents, options_.file);
  }

  // Returns the index of the text's class; -100 = it has none, nullopt = the class did not train.
  std::optional<int64_t> label_of(const Document& document) const {
    if (!document.has_label) return -100;
    const auto found = std::find(classes_.begin(), classes_.end(), document.label);
    if (found == classes_.end()) return std::nullopt;
    return found - classes_.begin();
  }
  std::shared_ptr<Tokens> encode(std::vector<Document>& documents, bool needs_labels, Damage& damage) const {
    auto out = std::make_shared<Tokens>();
    for (Document& document : documents) {
      const size_t before = out->ids.size();
      tokenizer_->encode(document.text, out->ids);
      std::string().swap(document.text);
      if (!options_.classify) continue;
      const std::optional<int64_t> label = label_of(document);
      if (out->ids.size() == before || (!label && needs_labels)) {
        out->ids.resize(before);
        damage.add(document.place + (!label ? ": the class '" + document.label + "' is none of the training rows"
                                            : std::string(": the text has no token")));
        continue;
      }
      out->ids.resize(std::min(out->ids.size(), before + static_cast<size_t>(options_.max_length)));
      out->begins.push_back(out->ids.size());
      out->labels.push_back(label.value_or(-100));
      out->places.push_back(document.place);
      out->groups.push_back(document.group);
      if (document.number >= 0) out->numbers.push_back(static_cast<uint32_t>(document.number));
    }
    return out;
  }

  void set_up(Damage& damage) {
    std::vector<Document> texts = documents(options_.file, true, damage);
    if (!tokenizer_) learn(texts);
    const std::shared_ptr<const Tokens> tokens = encode(texts, true, damage);
    if (checksum_ == 0) checksum_ = tokens->checksum();
    options_.classify ? split_texts(tokens) : split_blocks_of(tokens);
    if (!options_.val_file.empty()) open(levin::Split::val, options_.val_file, damage);
    if (!options_.test_file.empty()) open(levin::Split::test, options_.test_file, damage);
    Part& predict = part(levin::Split::predict);
    if (!options_.predict_file.empty())
      open(levin::Split::predict, options_.predict_file, damage);
    else
      predict = rows(levin::Split::test) > 0 ? part(levin::Split::test) : whole(tokens, options_.file);
    tell(*tokens);
  }
  void split_texts(const std::shared_ptr<const Tokens>& tokens) {
    common::RowKeys keys;
    if (options_.splitting.stratifies()) {
      keys.names = classes_;
      for (const int64_t label : tokens->labels) keys.of.push_back(static_cast<uint32_t>(label));
    } else if (options_.splitting.groups()) {
      keys = common::keys_of(tokens->groups);
    }
    const auto names = [&] {
      common::RowNames out{{}, tokens->numbers};
      if (out.numbers.empty())
        for (const std::string& place : tokens->places) out.paths.push_back(common::path_below(options_.file, place));
      return out;
    };
    const common::SplitRows split = options_.splitting.split(static_cast<int64_t>(tokens->places.size()), keys, names);
    part(levin::Split::train) = {tokens, {split.train.begin(), split.train.end()}};
    part(levin::Split::val) = {tokens, {split.val.begin(), split.val.end()}};
    part(levin::Split::test) = {tokens, {split.test.begin(), split.test.end()}};
  }
  void split_blocks_of(const std::shared_ptr<const Tokens>& tokens) {
    Blocks blocks = split_blocks(tokens->ids.size(), options_, options_.file);
    part(levin::Split::train) = {tokens, std::move(blocks.train)};
    part(levin::Split::val) = {tokens, std::move(blocks.val)};
    part(levin::Split::test) = {tokens, std::move(blocks.test)};
  }
  Part whole(const std::shared_ptr<const Tokens>& tokens, const std::string& path) const {
    if (!options_.classify) return {tokens, all_blocks(tokens->ids.size(), options_.block_size, path)};
    const std::vector<uint32_t> rows = common::all_rows(static_cast<int64_t>(tokens->places.size()));
    return {tokens, {rows.begin(), rows.end()}};
  }
  void open(levin::Split split, const std::string& path, Damage& damage) {
    const bool needs_labels = split != levin::Split::predict;
    std::vector<Document> texts = documents(path, needs_labels, damage);
    part(split) = whole(encode(texts, needs_labels, damage), path);
  }

  void batch_of_blocks(const levin::Fill& in, std::vector<levin_managed*>& out) {
    const Part& from = part(in.split);
    const auto block = static_cast<size_t>(options_.block_size), n = static_cast<size_t>(in.n);
    std::vector<int64_t> x(n * block), y(n * block);
    for (size_t i = 0; i < n; ++i) {
      const int32_t* ids = from.tokens->ids.data() + from.rows.at(static_cast<size_t>(in.indices[i]));
      std::copy_n(ids, block, &x[i * block]);
      std::copy_n(ids + 1, block, &y[i * block]);
    }
    for (std::vector<int64_t>* values : {&x, &y})
      out.push_back(levin::managed(std::move(*values), {in.n, options_.block_size}));
  }

  void batch_of_texts(const levin::Fill& in, std::vector<levin_managed*>& out) {
    const Part& from = part(in.split);
    const Tokens& tokens = *from.tokens;
    std::vector<uint64_t> rows;
    uint64_t length = options_.pad_to_longest ? 1 : static_cast<uint64_t>(options_.max_length);
    for (int64_t i = 0; i < in.n; ++i) {
      const uint64_t row = from.rows.at(static_cast<size_t>(in.indices[i]));
      rows.push_back(row);
      length = std::max(length, tokens.begins[row + 1] - tokens.begins[row]);
    }
    std::vector<int64_t> x(rows.size() * length, tokenizer_->padding()), y;
    std::vector<uint8_t> mask(rows.size() * length, 0);
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t begin = tokens.begins[rows[i]], n = tokens.begins[rows[i] + 1] - begin;
      std::copy_n(&tokens.ids[begin], n, &x[i * length]);
      std::fill_n(&mask[i * length], n, uint8_t{1});
      y.push_back(tokens.labels[rows[i]]);
    }
    const std::vector<int64_t> shape = {in.n, static_cast<int64_t>(length)};
    out.push_back(levin::managed(std::move(x), shape));
    out.push_back(levin::managed(std::move(mask), shape));
    out.push_back(levin::managed(std::move(y), {in.n}));
  }

  void tell(const Tokens& tokens) {
    const std::string what = options_.classify ? counted(tokens.places.size(), "text", "texts") + " of " +
                                                     std::to_string(classes_.size()) + " classes"
                                               : counted(tokens.ids.size(), "token", "tokens");
    info(options_.file + ": " + what + ", vocabulary of " + std::to_string(tokenizer_->names().size()) + "; " +
         std::to_string(rows(levin::Split::train)) + " rows train, " + std::to_string(rows(levin::Split::val)) +
         " validate, " + std::to_string(rows(levin::Split::test)) + " test");
  }

  const Options options_;
  bool is_set_up_ = false, fits_ = false;
  uint64_t checksum_ = 0;  // of the tokens of the training file; 0 = not known
  std::unique_ptr<const Tokenizer> tokenizer_;
  std::string saved_, loaded_;  // the tokenizer as it is saved, of these texts and of a checkpoint
  std::vector<std::string> classes_, loaded_classes_;
  Part parts_[LEVIN_SPLITS];
};

}  // namespace text

LEVIN_PLUGIN("levin.text", "0.1.0", "Apache-2.0",
             levin::data_module<text::TextData>("text", "Texts as tokens, for language models and classification"));
