// A table of a model's modules and their sizes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace levin::model_summary {

struct Parameter {
  std::string name;  // "layer1.0.conv.weight"
  int64_t elements = 0, bytes = 0;
  bool trainable = true;
};

struct Module {
  std::string name, type;  // name "" = the model itself
  uint32_t depth = 0;      // 0 = the model, 1 = its children
  bool training = true;
  int64_t parameters = 0;
  std::string in_sizes = "?", out_sizes = "?";  // "[1, 28, 28]"; "?" = not known
};

struct Summary {
  std::vector<Module> layers;  // the modules to show, without the model itself
  int64_t total = 0, trainable = 0, bytes = 0;
  size_t in_train_mode = 0, in_eval_mode = 0;
};

// Lists modules down to max_depth: 1 = the model's children, -1 = all, 0 = none. The counts always include all
// parameters and modules.
Summary summarize(const std::vector<Module>& modules, const std::vector<Parameter>& parameters, int64_t max_depth);

// Returns a number with three digits and a unit: "0  ", "1.5 K", "123 K", "25.6 M".
std::string human_count(int64_t n);

// Returns the table. It has columns for input and output sizes if the sizes of any layer are known. width: the width of
// the terminal, 0 = unlimited; columns that do not fit are left out and named below the table.
std::string table(const Summary& summary, size_t width = 0);

}  // namespace levin::model_summary
