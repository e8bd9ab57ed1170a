#pragma once
#include "sweep/search/sampler.hpp"

namespace levin::core::sweep {

class RandomSampler : public Sampler {
 public:
  RandomSampler(std::vector<Parameter> parameters, uint64_t seed) : parameters_(std::move(parameters)), seed_(seed) {}
  std::optional<Assignment> next(uint64_t number, const std::vector<Observation>&) override {
    return random_values(parameters_, seed_, number);
  }

 private:
  const std::vector<Parameter> parameters_;
  const uint64_t seed_;
};

}  // namespace levin::core::sweep
