// Sentences are one line, whatever their length:
// clang-format off
#include "levin/model.hpp"

struct Base : levin::Model {
  torch::Tensor training_step(const levin::Batch& batch) { return batch.input(); }
  void configure_optimizers(levin::OptimPlan&) {}
};

// refused: Levin never calls 'val_step': did you mean 'validation_step'? Otherwise give it another name
struct Short : Base {
  void val_step(const levin::Batch&) {}
};
auto is_short = levin::model<Short>("", "");

// refused: Levin never calls 'validationStep': did you mean 'validation_step'? Otherwise give it another name
// refused: Levin never calls 'onFitEnd': did you mean 'on_fit_end'? Otherwise give it another name
struct Camel : Base {
  void validationStep(const levin::Batch&) {}
  void onFitEnd() {}
};
auto camel = levin::model<Camel>("", "");

// refused: Levin never reads 'OPTIONS': did you mean 'options'? Otherwise give it another name
struct Capitals : Base {
  static constexpr levin_option OPTIONS[] = {levin::integer("hidden", "64", "units")};
};
auto capitals = levin::model<Capitals>("", "");

// refused: 'validation_step' is private or protected, so Levin cannot call it: make it public, or give it another name
class Private : public Base {
  void validation_step(const levin::Batch&) {}
};
auto is_private = levin::model<Private>("", "");

// refused: 'test_step' is not what Levin calls by that name: declare it as void, torch::Tensor or levin::Outputs test_step(const levin::Batch&, int64_t batch_idx)
struct Tensors : Base {
  void test_step(torch::Tensor, torch::Tensor) {}
};
auto tensors = levin::model<Tensors>("", "");

// refused: 'configure_optimizers' is overloaded or a template, so Levin cannot call it: declare it once, as void configure_optimizers(levin::OptimPlan&)
struct Overloaded : Base {
  void configure_optimizers() {}
  void configure_optimizers(levin::OptimPlan&) {}
};
auto overloaded = levin::model<Overloaded>("", "");

// refused: the hook 'on_train_start' returns nothing or a levin_status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool would be read as one
struct Bool : Base {
  bool on_train_start() { return true; }
};
auto returns_bool = levin::model<Bool>("", "");

// refused: 'load' without 'save': there would never be anything to read; declare a public void save(levin::Writer)
struct OnlyLoad : Base {
  void load(levin::Reader) {}
};
auto only_load = levin::model<OnlyLoad>("", "");

// refused: Levin never calls 'zero_grad' of a model: declare void optimizer_zero_grad(const levin::OptimCall&) instead
struct Clears : Base {
  void zero_grad(bool) override {}
};
auto clears = levin::model<Clears>("", "");

// refused: a model derives from levin::Model; levin::classifier and levin::regressor take a torch::nn::Module
struct Plain : torch::nn::Module {};
auto plain = levin::model<Plain>("", "");

// What follows is taken.
struct Good : Base {
  void validation_step(levin::Batch, int64_t, int64_t) {}
  levin::Outputs predict_step(const levin::Batch&, const levin::StepInfo&) { return {}; }
  void save(levin::Writer) const {}
  void load(levin::Reader) {}
  torch::Tensor train_step() { return {}; }  // beside training_step it may be anything
};
auto good = levin::model<Good>("", "");
