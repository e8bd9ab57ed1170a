// The base of data modules of arrays: rows of inputs and targets, for classification and regression.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

#include "../file_module.hpp"
#include "levin/levin.hpp"
#include "measure.hpp"
#include "row_keys.hpp"
#include "row_set.hpp"
#include "trained.hpp"

namespace arrays {

// options: the table of the module's options, which begins with `inputs`.
template <const auto& options, const Format& format>
class ArrayModule : public common::FileModule<options> {
 public:
  static constexpr bool state_before_setup = true;  // new rows can be predicted without the training rows

  explicit ArrayModule(const levin::Args& o) : options_(o) {}

  void setup(levin::Stage stage) {
    if (is_set_up_) return;
    if (stage == levin::Stage::predict && loaded_ && (!options_.predict_inputs.empty() || !has_targets()))
      set_up_new_rows(options_.predict_inputs.empty() ? options_.train.inputs : options_.predict_inputs);
    else
      set_up();
    is_set_up_ = true;
  }

  std::vector<levin::Field> fields() {
    const TargetForm& target = used_.target;
    return {
        levin::input("x", levin::float32, used_.input_shape),
        {"y", target.classes > 0 ? levin::int64 : levin::float32, target.shape, LEVIN_ROLE_TARGET, target.classes, {}}};
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(part(split).rows.size()); }

  void fill(const levin::Fill& in, const levin_view* out) {
    const auto& [set, rows] = part(in.split);
    if (set) set->inputs->check_unchanged();
    if (set && set->targets) set->targets->check_unchanged();
    float *x = static_cast<float*>(out[0].data), *y = static_cast<float*>(out[1].data);
    int64_t* labels = static_cast<int64_t*>(out[1].data);
    int64_t size = 1;
    for (const int64_t n : used_.target.shape) size *= n;
    for (int64_t i = 0; i < in.n; ++i, x += set->inputs->row_size(), y += size, labels += size) {
      const uint32_t row = common::row_at(rows, in.indices[i]);
      read_input(*set->inputs, row, x);
      check_finite(*set->inputs, row, x);
      if (used_.target.classes > 0 && set->targets)
        read_labels(*set->targets, row, used_.target.classes, labels);
      else if (used_.target.classes > 0)
        std::fill_n(labels, size, 0);
      else if (set->targets)
        set->targets->read(row, y), check_finite(*set->targets, row, y);
      else
        std::fill_n(y, size, 0.0f);
    }
  }

  void save(levin::Writer writer) const {
    if (is_set_up_ || loaded_) (is_set_up_ ? used_ : *loaded_).save(writer);
  }
  void load(levin::Reader reader) {
    Trained saved;
    if (!saved.load(reader)) return;
    if (is_set_up_) use(saved);
    loaded_ = std::move(saved);
  }

 private:
  struct Part {
    std::shared_ptr<const RowSet> set;
    std::vector<uint32_t> rows;
  };
  Part& part(levin::Split split) { return parts_[static_cast<size_t>(split)]; }

  // Returns true if the training rows have targets.
  bool has_targets() const {
    if (!options_.train.targets.empty()) return true;
    const std::vector<std::string> names = format.names(format.path_of(options_.train.inputs));
    return std::find(names.begin(), names.end(), "y") != names.end();
  }

  // Opens the targets: by default the array y in the file of the inputs.
  static std::shared_ptr<const Array> open_targets(const Source& source, const Array& inputs) {
    if (!source.targets.empty()) return format.open(source.targets, "y");
    const std::string path = format.path_of(source.inputs),
                      missing = "--data." + source.prefix + "targets is missing, and ";
    const std::vector<std::string> names = format.names(path);
    if (std::find(names.begin(), names.end(), "y") == names.end())
      throw levin::Error(LEVIN_E_INVALID, missing + path + " has no array 'y'" +
                                              (names.empty() ? "" : " (it has " + listed(names) + ")") +
                                              "; a prediction with --ckpt_path needs no targets");
    auto targets = format.open(path + ":y", "y");
    if (targets->name() == inputs.name())
      throw levin::Error(LEVIN_E_INVALID, missing + inputs.name() + ", the default, is already the inputs");
    return targets;
  }

  static std::shared_ptr<const RowSet> open(const Source& source) {
    const std::shared_ptr<const Array> inputs = format.open(source.inputs, "x");
    auto set = std::make_shared<const RowSet>(RowSet{inputs, open_targets(source, *inputs)});
    if (set->inputs->rows() != set->targets->rows())
      throw levin::Error(LEVIN_E_IO, set->inputs->name() + " has " + std::to_string(set->inputs->rows()) +
                                         " rows and " + set->targets->name() + " " +
                                         std::to_string(set->targets->rows()) + ": they do not belong together");
    return set;
  }

  // Opens the rows of a split that have their own files, if they do.
  void open_own(levin::Split split, const Source& source) {
    if (source.inputs.empty()) return;
    const std::shared_ptr<const RowSet> set = open(source);
    check_inputs(*set->inputs, own_);
    part(split) = {set, rows_to_use(*set, own_.target.classes > 0)};
    check_form(*set->targets, own_.target, part(split).rows);
  }
  static void check_inputs(const Array& inputs, const Trained& trained) {
    Trained now = trained;
    now.input_shape = inputs.row_shape();
    if (now.input_shape != trained.input_shape)
      throw levin::Error(LEVIN_E_IO, inputs.name() + " is " + inputs.text() +
                                         "; its rows differ in shape from those of the training inputs");
  }

  void set_up() {
    const std::shared_ptr<const RowSet> set = open(options_.train);
    const std::vector<uint32_t> usable = rows_to_use(*set, are_classes(*set->targets, options_.task));
    own_ = {set->inputs->row_shape(), target_form(*set->targets, options_.task, usable), options_.mean,
            options_.deviation};
    common::SplitRows rows = options_.splitting.split(
        static_cast<int64_t>(usable.size()), row_keys(options_, format, *set->targets, own_.target, usable), [&usable] {
          return common::RowNames{{}, usable};
        });
    for (std::vector<uint32_t>* places : {&rows.train, &rows.val, &rows.test})
      for (uint32_t& row : *places) row = usable[row];
    measure(*set->inputs, rows.train, own_.mean, own_.deviation);
    part(levin::Split::train) = {set, std::move(rows.train)};
    part(levin::Split::val) = {set, std::move(rows.val)};
    part(levin::Split::test) = {set, std::move(rows.test)};
    open_own(levin::Split::val, options_.val);
    open_own(levin::Split::test, options_.test);
    Part& predict = part(levin::Split::predict);
    if (!options_.predict_inputs.empty())
      open_new(options_.predict_inputs, own_);
    else
      predict = rows_of(levin::Split::test) > 0 ? part(levin::Split::test) : Part{set, usable};
    report_damaged();
    use(loaded_ ? *loaded_ : own_);
    tell(*set);
  }
  std::vector<uint32_t> rows_to_use(const RowSet& set, bool classes) {
    if (options_.damaged == "stop") return common::all_rows(set.inputs->rows());
    return usable_rows(set, classes, damaged_);
  }
  void report_damaged() const {
    if (!damaged_.any()) return;
    if (options_.damaged == "check") throw levin::Error(LEVIN_E_IO, damaged_.text());
    this->warn("left out: " + damaged_.text());
  }
  size_t rows_of(levin::Split split) { return part(split).rows.size(); }

  void open_new(const std::string& inputs, const Trained& trained) {
    auto set = std::make_shared<const RowSet>(RowSet{format.open(inputs, "x"), nullptr});
    check_inputs(*set->inputs, trained);
    part(levin::Split::predict) = {set, rows_to_use(*set, /*classes=*/false)};
  }
  void set_up_new_rows(const std::string& inputs) {
    open_new(inputs, *loaded_);
    report_damaged();
    used_ = *loaded_;
  }

  // Uses the mean and deviation of a checkpoint, or of the training rows.
  void use(const Trained& trained) {
    if (is_set_up_ && part(levin::Split::train).rows.empty()) return;  // only new rows are open, checked before
    own_.check(trained);
    used_ = trained;
  }

  void read_input(const Array& inputs, int64_t row, float* out) const {
    if (used_.mean == 0 && used_.deviation == 1) return inputs.read(row, out);
    static thread_local std::vector<double> exact;  // large numbers that differ little keep their digits
    exact.resize(static_cast<size_t>(inputs.row_size()));
    inputs.read(row, exact.data());
    for (const double value : exact) *out++ = static_cast<float>((value - used_.mean) / used_.deviation);
  }

  void tell(const RowSet& set) {
    const std::string form = own_.target.classes > 0 ? std::to_string(own_.target.classes) + " classes" : "numbers";
    this->info(set.inputs->name() + ": " + set.inputs->text() + ", targets: " + form + "; " +
               std::to_string(rows_of(levin::Split::train)) + " rows train, " +
               std::to_string(rows_of(levin::Split::val)) + " validate, " +
               std::to_string(rows_of(levin::Split::test)) + " test");
    const std::vector<int64_t> row = set.inputs->row_shape();
    if (row.size() == 3 && row[0] > row[2] && (row[2] == 1 || row[2] == 3 || row[2] == 4))
      this->warn(set.inputs->name() + " has rows of " + joined(row) + ", which networks of images read as " +
                 std::to_string(row[0]) +
                 " channels: if the channels are last, save the array with numpy.moveaxis(x, -1, 1)");
    if (set.inputs->dtype() == "uint8" && used_.mean == 0 && used_.deviation == 1)
      this->warn(
          set.inputs->name() +
          " holds bytes, which reach the model as 0 to 255: --data.std 255 scales them to 0 to 1, and --data.mean null "
          "--data.std null normalizes them");
  }

  const Options options_;
  bool is_set_up_ = false;
  Part parts_[LEVIN_SPLITS];
  Trained own_, used_;             // of the training files, and the one in use
  common::DamagedRows damaged_;    // the rows that are left out
  std::optional<Trained> loaded_;  // of a checkpoint
};

}  // namespace arrays
