// Models: derive from levin::Model, which is a torch::nn::Module, register modules as usual, and declare
//   torch::Tensor training_step(const levin::Batch& batch, int64_t batch_idx);   the loss, a scalar; undefined = the
//                                                                                batch is skipped
//   void validation_step(const levin::Batch&, int64_t batch_idx);                log metrics
//   void test_step(const levin::Batch&, int64_t batch_idx);
//   torch::Tensor predict_step(const levin::Batch&, int64_t batch_idx);
//   void configure_optimizers(levin::OptimPlan& plan);
//   static void prepare_data(const levin::Args&);         downloads: once, in one process, before a model exists
//   static void configure_callbacks(const levin::Args&, const levin::CallbackList&);    the model's callbacks
// and any hook of LEVIN_FOR_EACH_HOOK in levin/abi.h. A step takes (batch), (batch, batch_idx), (batch, batch_idx,
// int64_t) or (batch, levin::StepInfo), and returns nothing, a tensor or levin::Outputs. The third argument is
// optimizer_idx in training_step and dataloader_idx in the others. With several optimizers training_step is called once
// per optimizer and must take optimizer_idx. A model may also declare
//   training_step_end(const levin::Outputs&);                      gets, and may replace, the outputs of the step
//   training_epoch_end(const std::vector<levin::Outputs>&);        gets the outputs of all steps of the epoch, detached
//   std::vector<std::vector<torch::Tensor>> tbptt_split_batch(const levin::Batch&, int64_t split_size);
//   torch::Tensor example_input() const;       input of one forward(torch::Tensor) for the model summary
// The first two exist for validation_ and test_ too. The trainer calls backward and steps the optimizer, unless the
// class declares `static constexpr bool automatic_optimization = false`. All calls of a run are made on one thread.
#pragma once
#include "levin/torch/model_base.hpp"
#include "levin/torch/model_table.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// The base of models. The host creates an instance for one run and destroys it after that run.
class Model : public detail::ModelBase, public torch::nn::Module {
 public:
  using torch::nn::Module::name;
};

// Returns the component of a class that derives from levin::Model. id and summary must live as long as the process.
// H: how the instance is held.
template <class T, class H = detail::Holder<T, detail::ModelExtra>>
levin_component model(const char* id, const char* summary) {
  levin_component c{};
  if constexpr (!std::is_base_of_v<detail::ModelBase, T>) {
    static_assert(std::is_base_of_v<detail::ModelBase, T>,
                  "a model derives from levin::Model; levin::classifier and levin::regressor take a torch::nn::Module");
  } else if constexpr (!detail::is_publicly<T, detail::ModelBase>) {
    LEVIN_DEMAND_PUBLIC(T, detail::ModelBase, "levin::Model");
  } else if constexpr (!detail::component_is_sound<T>()) {
    detail::demand_component<T>();
  } else if constexpr (detail::model_is_sound<T>()) {
    using Net = detail::Network<T>;
    c = detail::component_of<T>(LEVIN_KIND_MODEL, id, summary);
    for (uint32_t word = 0; word < LEVIN_HOOK_WORDS; ++word) c.hooks[word] = detail::hook_mask<Net>(word);
    if constexpr (detail::has_automatic_optimization<Net>::value)
      c.flags |= Net::automatic_optimization ? 0u : LEVIN_F_MANUAL;
    if constexpr (detail::looks_at_optimizer_idx<T>()) c.flags |= LEVIN_F_OPTIMIZER_IDX;
    detail::add_own_data<T>(c);
    c.create = &detail::create<H, &detail::model_table<H>>;
    detail::set_preparations<T>(c);
  } else {
    detail::demand_model<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
