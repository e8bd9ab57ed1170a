// The form of the training data. Checkpoints contain it, so that new rows are predicted without the training files.
#pragma once
#include "levin/state.hpp"
#include "targets.hpp"

namespace arrays {

struct Trained {
  std::vector<int64_t> input_shape;  // of a row
  TargetForm target;
  double mean = 0, deviation = 1;  // an input becomes (input - mean) / deviation

  void save(levin::Writer writer) const;
  bool load(levin::Reader reader);  // returns false if the state has none
  // Throws levin::Error if a model that was trained with `saved` cannot be used with this data.
  void check(const Trained& saved) const;
};

}  // namespace arrays
