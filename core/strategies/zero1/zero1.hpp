// Data parallel with sharded optimizer state: each process steps a part of the parameters and broadcasts them to the
// others (ZeRO stage 1; Rajbhandari et al. 2020, arXiv 1910.02054).
#pragma once
#include <map>

#include "core/strategies/ddp/ddp.hpp"

namespace levin::core {

class Zero1Strategy : public DdpStrategy {
 public:
  using DdpStrategy::DdpStrategy;
  const char* name() const override { return "zero1"; }
  void begin_optimizers(const std::vector<std::unique_ptr<Optimizer>>& optimizers) override;
  bool shards_optimizers() const override { return processes().size() > 1; }
  bool owns(const Optimizer& optimizer, const at::Tensor& param) override;
  void step_alone(bool on) override { alone_ = on; }

 private:
  int owner(const Optimizer& optimizer, const at::Tensor& param);
  void share_out(const Optimizer& optimizer, size_t first_group, size_t end_group);
  void step_own(const Optimizer& optimizer, const std::function<void()>& step);
  void send_parameters(const Optimizer& optimizer);

  std::map<const void*, int> owner_;  // for each parameter, the rank that steps it
  bool alone_ = false;
};

}  // namespace levin::core
