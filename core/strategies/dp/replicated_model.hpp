// A model of several instances that compute parts of each batch at the same time.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/components/model_instance.hpp"
#include "core/strategies/common/strategy.hpp"

namespace levin::core {

// The object itself is the first instance, and everything outside sees this one alone: it has the optimizers, the hooks
// and the saved state. The replicas are the others.
class ReplicatedModel : public Model {
 public:
  // Makes an instance for each device, with the random numbers of a run without replicas. Throws Error that names the
  // replica that cannot be made.
  ReplicatedModel(const MakeModel& make, const std::vector<at::Device>& devices);

  // Replicas get the hooks setup, configure_model and teardown only.
  levin_status on(const levin_event& event) const override;
  // The context of an instance, for the thread that computes its part.
  ModelInstance& instance(size_t i) { return instances_[i]; }

  // Moves the replicas to their devices. Throws Error{usage} that names the first parameter or buffer that differs from
  // the first instance's in name, shape or type.
  void place_replicas(at::ScalarType dtype);
  // Copies parameters, their requires_grad, buffers, training mode and custom saved state of the first instance to
  // replicas 1 to n - 1.
  void copy_to_replicas(size_t n);
  // Adds the gradients of the replicas to those of the first instance, and clears them in the replicas.
  void add_gradients();

 private:
  std::vector<std::unique_ptr<Model>> replicas_;
  std::recursive_mutex turn_;
  std::vector<ModelInstance> instances_;  // the first is this object
};

inline std::string replica_name(size_t replica) { return "replica " + std::to_string(replica) + " of the model"; }

}  // namespace levin::core
