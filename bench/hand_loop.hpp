// Hand-written training loops to compare the host with.
#pragma once
#include <memory>
#include <string>

#include "bench/workload.hpp"

namespace levin_bench {

class HandLoop {
 public:
  virtual ~HandLoop() = default;
  virtual void epoch() = 0;
  virtual torch::Tensor step(int64_t batch) = 0;  // returns the loss
  virtual const std::shared_ptr<Net>& net() const = 0;
};

// optimizer: "torch" = that of torch::optim, "host" = the host's own.
std::unique_ptr<HandLoop> make_hand_loop(const Workload& workload, int64_t rows, int64_t batch,
                                         const std::string& optimizer);
// Copies the parameters and buffers of one network into another of the same kind.
void copy_state(Net& to, Net& from);
double largest_difference(Net& a, Net& b);

}  // namespace levin_bench
