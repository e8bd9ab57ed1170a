// The base of data modules of tables: rows of columns, for classification and regression.
#pragma once
#include <algorithm>
#include <optional>

#include "../counted.hpp"
#include "../file_module.hpp"
#include "encoder.hpp"
#include "fit.hpp"
#include "levin/levin.hpp"
#include "lost_digits.hpp"
#include "rows.hpp"
#include "table_options.hpp"

namespace tables {

using common::counted;

// options: the table of the module's options. Format: a Source, made of the options, with a member
// `static Names names(const levin::Args&)`.
template <const auto& options, class Format>
class TableModule : public common::FileModule<options> {
 public:
  static constexpr bool state_before_setup = true;  // new rows can be predicted without the training rows

  explicit TableModule(const levin::Args& o) : options_(o, Format::names(o)), source_(o) {}

  void setup(levin::Stage stage) {
    fits_ = stage == levin::Stage::fit;
    if (rows_) return;
    const std::string new_rows = file_of_new_rows(stage);
    if (!new_rows.empty()) return set_up_new_rows(stage, new_rows);
    if (options_.types.target.empty()) options_.types.target = loaded_targets();
    if (options_.types.target.empty())
      throw levin::Error(LEVIN_E_INVALID,
                         "--data.target is missing: give the name or the index (from 0) of the column to predict; a "
                         "prediction with --ckpt_path needs none");
    auto rows = std::make_unique<Rows>(options_, source_);
    own_ = fit(rows->table(), rows->of(levin::Split::train), rows->known(), options_.fit);
    own_.rows = rows->in_first_file();
    own_.checksum = rows->checksum();
    own_.window = options_.windows.shape;
    if (own_.targets[0].category() && own_.window.steps() > 1)
      throw levin::Error(LEVIN_E_INVALID, "--data.horizon of several rows predicts numbers, and the target '" +
                                              own_.targets[0].name +
                                              "' has classes: give one row, or --data.task regression");
    for (const std::string& line : lost_digits(rows->table(), own_, rows->of(levin::Split::train)))
      this->warn(options_.train + ": " + line);
    rows_ = std::move(rows);
    tell(rows_->types());
    use(loaded_.inputs.empty() ? own_ : loaded_);
  }

  std::vector<levin::Field> fields() {
    const ColumnStatistics& target = used_.targets[0];
    const auto width = static_cast<int64_t>(encoder_.width()), steps = used_.window.steps(),
               targets = static_cast<int64_t>(used_.targets.size());
    std::vector<int64_t> input = {width}, shape;
    if (used_.window.length > 0) input.insert(input.begin(), used_.window.length);
    if (steps > 1) shape.push_back(steps);
    if (targets > 1) shape.push_back(targets);
    const levin::Field number{"y", levin::float32, shape, LEVIN_ROLE_TARGET, 0, {}};
    return {levin::input("x", levin::float32, input),
            target.category() ? levin::target("y", static_cast<int64_t>(target.categories.size()), target.categories)
                              : number};
  }
  int64_t rows(levin::Split split) { return rows_ ? static_cast<int64_t>(rows_->windows(split).begins.size()) : 0; }
  // A window is called by its last row.
  std::string row_name(levin::Split split, int64_t index) {
    if (used_.window.length == 0) return "";
    const Windows& windows = rows_->windows(split);
    return rows_->table().place(windows.rows[common::row_at(windows.begins, index) + used_.window.length - 1]);
  }

  void fill(const levin::Fill& in, const levin_view* out) {
    const Windows& windows = rows_->windows(in.split);
    const auto length = static_cast<size_t>(std::max<int64_t>(1, used_.window.length));
    float *x = static_cast<float*>(out[0].data), *numbers = static_cast<float*>(out[1].data);
    auto* classes = static_cast<int64_t*>(out[1].data);
    for (int64_t i = 0; i < in.n; ++i) {
      const size_t begin = common::row_at(windows.begins, in.indices[i]);
      for (size_t k = begin; k < begin + length; ++k, x += encoder_.width())
        encoder_.input(rows_->table(), windows.rows[k], x);
      for (int64_t step = used_.window.first_step; step <= used_.window.last_step; ++step) {
        const std::optional<uint32_t> row =
            target_row(in.split, windows, begin + length - 1 + static_cast<size_t>(step));
        if (used_.targets[0].category())
          *classes++ = row ? encoder_.class_of(rows_->table(), *row) : 0;
        else
          for (size_t t = 0; t < used_.targets.size(); ++t)
            *numbers++ = row ? encoder_.number_of(rows_->table(), t, *row) : 0;
      }
    }
  }

  void save(levin::Writer writer) const {
    const Statistics& kept = used_.inputs.empty() ? loaded_ : used_;
    if (!kept.inputs.empty()) kept.save(writer);
  }
  void load(levin::Reader reader) {
    Statistics loaded;
    if (!loaded.load(reader) || loaded == loaded_) return;
    loaded_ = std::move(loaded);
    if (rows_ && known_only_to_checkpoint_)
      encode(loaded_);
    else if (rows_)
      use(loaded_);
  }

 private:
  // Returns the row at this place. Windows to predict have no targets, which lie in the future.
  std::optional<uint32_t> target_row(levin::Split split, const Windows& windows, size_t place) const {
    if (split == levin::Split::predict && used_.window.length > 0) return std::nullopt;
    return windows.rows[place];
  }

  // Returns the columns that a checkpoint was trained to predict, as --data.target names them; "" = there is none.
  std::string loaded_targets() const {
    std::string names;
    for (const ColumnStatistics& target : loaded_.targets) names += (names.empty() ? "" : ",") + target.name;
    return names;
  }
  // Returns the file of new rows to use a checkpoint on; the training file is then not needed. Returns "" if the rows
  // come from the training file.
  std::string file_of_new_rows(levin::Stage stage) const {
    if (loaded_.inputs.empty()) return "";
    if (stage == levin::Stage::validate) return options_.val;
    if (stage == levin::Stage::test) return options_.test;
    if (stage != levin::Stage::predict) return "";
    if (!options_.predict.empty()) return options_.predict;
    return checksum_of(source_.read(options_.train)) != loaded_.checksum ? options_.train : "";
  }
  void set_up_new_rows(levin::Stage stage, const std::string& file) {
    const WindowShape& asked = options_.windows.shape;
    if (asked.length > 0 && !(asked == loaded_.window))
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was made for " + loaded_.window.text() + ", and there are " +
                                            asked.text() +
                                            ": leave out --data.window and --data.horizon, or give those");
    const levin::Split split = stage == levin::Stage::predict ? levin::Split::predict
                               : stage == levin::Stage::test  ? levin::Split::test
                                                              : levin::Split::val;
    rows_ = std::make_unique<Rows>(options_, source_, loaded_, split, file);
    known_only_to_checkpoint_ = true;
    encode(loaded_);
    for (const std::string& remark : rows_->remarks()) this->warn(remark);
    this->info(file + ": " + counted(rows_->of(split).size(), "row", "rows") + ", with the " +
               counted(loaded_.inputs.size(), "column", "columns") + " that the checkpoint was trained on");
  }

  // Uses these statistics from now on. Throws levin::Error if they give another shape than fields(), for which the
  // model was made.
  void use(const Statistics& statistics) {
    const std::string what = difference(statistics, own_);
    if (!what.empty())
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was made with other data than " + options_.train + ": " + what);
    if (fits_ && statistics.checksum != own_.checksum)
      this->warn(options_.train + " is not what it was when the checkpoint was made (" +
                 std::to_string(statistics.rows) + " rows then, " + std::to_string(own_.rows) +
                 " now): rows that trained may validate now");
    encode(statistics);
  }
  void encode(const Statistics& statistics) {
    Encoder encoder(rows_->table(), statistics);
    refuse_unknown(encoder);
    used_ = statistics;
    encoder_ = std::move(encoder);
  }

  void refuse_unknown(const Encoder& encoder) const {
    for (const levin::Split split : {levin::Split::train, levin::Split::val, levin::Split::test})
      for (const Encoder::Unknown& u : encoder.unknown_classes(rows_->table(), rows_->of(split)))
        throw levin::Error(LEVIN_E_IO, u.where + ": the target '" + u.column + "' is '" + u.text +
                                           "', which is none of the classes that were trained");
    for (uint32_t split = 0; split < LEVIN_SPLITS; ++split) {
      const std::vector<Encoder::Unknown> unknown =
          encoder.unknown_inputs(rows_->table(), rows_->of(static_cast<levin::Split>(split)));
      if (unknown.empty()) continue;
      const Encoder::Unknown& u = unknown[0];
      const std::string text = u.where + ": column '" + u.column + "' is '" + u.text + "', which no training file has";
      if (!options_.zeros) throw levin::Error(LEVIN_E_IO, text + ": give --data.unknown_categories zeros");
      this->warn(text + (unknown.size() > 1 ? ", and " + std::to_string(unknown.size() - 1) + " texts more" : "") +
                 ": they are zeros");
    }
  }

  void tell(const ColumnTypes& types) const {
    for (const std::string& remark : rows_->remarks()) this->warn(remark);
    if (types.header_of_numbers)
      this->warn(options_.train +
                 ": the names of columns are numbers; if the first line is a row, give --data.header false");
    size_t categories = 0;
    for (const ColumnType& type : types.inputs) categories += type.category();
    for (const std::string& index : types.unnamed)
      this->info(options_.train + ": column " + index + " has no name and is left out");
    size_t dates = 0;
    for (const ColumnType& type : types.inputs) dates += type.kind == Kind::date;
    std::string target = types.targets.size() > 1 ? "targets " : "target ";
    for (const ColumnType& type : types.targets) target += (&type == &types.targets[0] ? "'" : ", '") + type.name + "'";
    const ColumnStatistics& first = own_.targets[0];
    const std::string task = first.category()          ? counted(first.categories.size(), "class", "classes")
                             : own_.targets.size() > 1 ? "numbers"
                                                       : "a number";
    this->info(options_.train + ": " + counted(rows_->known().size(), "row", "rows") + ", " +
               counted(types.inputs.size() - categories - dates, "number", "numbers") +
               (dates > 0 ? ", " + counted(dates, "date", "dates") : "") + " and " +
               counted(categories, "category", "categories") + " in, " + target + ": " + task);
    const auto windows = [this](levin::Split split) { return std::to_string(rows_->windows(split).begins.size()); };
    if (own_.window.length > 0)
      this->info(own_.window.text() + ": " + windows(levin::Split::train) + " to train, " + windows(levin::Split::val) +
                 " to validate, " + windows(levin::Split::test) + " to test; " +
                 counted(rows_->timeline().gaps(), "gap", "gaps") + " in the rows");
  }

  Options options_;
  const Format source_;
  bool fits_ = false, known_only_to_checkpoint_ = false;
  std::unique_ptr<Rows> rows_;
  Statistics own_, loaded_, used_;  // of the training rows, of a checkpoint, and the ones in use
  Encoder encoder_;
};

}  // namespace tables
