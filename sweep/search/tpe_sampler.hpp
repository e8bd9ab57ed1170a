// The tree-structured Parzen estimator: Bergstra, Bardenet, Bengio and Kegl, "Algorithms for Hyper-Parameter
// Optimization", NIPS 2011, with the defaults of Optuna 3.1's TPESampler (independent sampling): 10 random trials
// first, the best tenth (at most 25) against the others, 24 candidates, older trials weighted less from 25 on.
#pragma once
#include "sweep/search/sampler.hpp"

namespace levin::core::sweep {

class TpeSampler : public Sampler {
 public:
  TpeSampler(std::vector<Parameter> parameters, uint64_t seed) : parameters_(std::move(parameters)), seed_(seed) {}
  // Trials that are running or have failed count as bad ones, so that others are not placed beside them.
  std::optional<Assignment> next(uint64_t number, const std::vector<Observation>& seen) override;

 private:
  const std::vector<Parameter> parameters_;
  const uint64_t seed_;
};

}  // namespace levin::core::sweep
