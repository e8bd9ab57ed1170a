// The masks of pruned weights.
#pragma once
#include <string>
#include <vector>

#include "levin/ops.hpp"
#include "levin/parameters.hpp"
#include "levin/state.hpp"

namespace levin::pruning {

enum class Structure { weight, row, column };  // a row is an output channel, a column an input channel

struct Choice {
  Structure structure = Structure::weight;  // what is pruned as a whole
  int64_t norm = 1;                         // of rows and columns: 1 = mean magnitude, 2 = root mean square
  bool global = false;  // compares the magnitudes of all parameters instead of those within a parameter
};

// A mask is true where a weight is pruned.
class Masks {
 public:
  // Chooses the parameters to prune: those of two or more dimensions that a pattern names. Throws Error if there are
  // none.
  void begin(const Run& run, const std::vector<std::string>& patterns);
  // Makes masks that prune this part (0 to 1) of the weights: those of the smallest magnitudes.
  void make(const Run& run, const Choice& choice, double part);
  // Sets the pruned weights to 0.
  void apply(const Run& run) const;
  bool exist() const { return !masks_.empty(); }
  // Returns the part of the weights that the masks prune.
  double pruned(const Run& run) const;
  int64_t weights(const Run& run) const;

  void save(const Writer& writer) const;
  void load(const levin_host* host, const Reader& reader);

 private:
  std::vector<Parameter> parameters_;
  std::vector<OwnedTensor> masks_;  // of each parameter; empty before the first pruning
  std::vector<std::string> names_;  // of the loaded masks, until begin
};

}  // namespace levin::pruning
