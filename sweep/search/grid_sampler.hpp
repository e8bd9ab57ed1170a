// All combinations of the listed values, the last parameter fastest.
#pragma once
#include "sweep/search/sampler.hpp"

namespace levin::core::sweep {

class GridSampler : public Sampler {
 public:
  explicit GridSampler(const std::vector<Parameter>& parameters);
  std::optional<Assignment> next(uint64_t number, const std::vector<Observation>& seen) override;
  uint64_t size() const { return size_; }

 private:
  std::vector<std::vector<double>> values_;
  uint64_t size_ = 1;
};

}  // namespace levin::core::sweep
