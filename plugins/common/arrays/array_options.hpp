// The options of data modules of arrays.
#pragma once
#include <string>

#include "../damaged_rows.hpp"
#include "../split_options.hpp"

namespace arrays {

inline constexpr const char* tasks[] = {"auto", "classification", "per_element", "regression", nullptr};

// Those behind `inputs`, the required option of the format's own.
inline constexpr levin_option own_options[] = {
    levin::path("targets", "\"\"", "training targets, written as inputs; empty = array y in the file of inputs"),
    levin::path("val_inputs", "\"\"", "inputs of the validation rows, instead of a fraction of the training rows"),
    levin::path("val_targets", "\"\"", "targets of the validation rows; empty = array y in the file of val_inputs"),
    levin::path("test_inputs", "\"\"", "inputs of the test rows"),
    levin::path("test_targets", "\"\"", "targets of the test rows; empty = array y in the file of test_inputs"),
    levin::path("predict_inputs", "\"\"", "inputs to predict, without targets; empty = the test rows, or all"),
    levin::path("group", "\"\"", "array of one number a row, whose equal values keep rows in one split; empty = none"),
    levin::choice("task", "\"auto\"",
                  "auto = classification if the targets are one integer a row, else regression; per_element = a class "
                  "for each element of the targets: pixels, tokens",
                  tasks),
    common::damaged_rows_option,
    levin::with(levin::number("mean", "0", "number to subtract from inputs; null = mean of all training inputs"),
                LEVIN_OPT_NULLABLE),
    levin::with(
        levin::number("std", "1", "number to divide inputs by; null = deviation of all training inputs", 1e-30, 1e30),
        LEVIN_OPT_NULLABLE)};
inline constexpr auto array_options = common::joined(own_options, common::split_options);

// The arrays of the rows of one split.
struct Source {
  // before: the beginning of the options' names, "", "val_" or "test_".
  Source(const levin::Args& o, const std::string& before)
      : prefix(before), inputs(o.text((before + "inputs").c_str())), targets(o.text((before + "targets").c_str())) {}
  // Returns the option that names the inputs, such as "--data.val_inputs x.npy"; "" = none does.
  std::string option() const { return inputs.empty() ? "" : "--data." + prefix + "inputs " + inputs; }

  std::string prefix, inputs, targets;
};

struct Options {
  explicit Options(const levin::Args& o);

  Source train, val, test;
  std::string predict_inputs, group, task, damaged;
  double mean, deviation;  // NaN = computed from the training rows
  common::Splitting splitting;
};

}  // namespace arrays
