// Each message is on one line, regardless of its length:
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

// refused: Levin never calls 'validaton_step': did you mean 'validation_step'? Otherwise give it another name
// refused: Levin never calls 'on_train_epcoh_end': did you mean 'on_train_epoch_end'? Otherwise give it another name
struct Misspelt : Base {
  void validaton_step(const levin::Batch&) {}
  void on_train_epcoh_end() {}
};
auto misspelt = levin::model<Misspelt>("", "");

// refused: the class derives privately from levin::Model, so Levin cannot use it: write struct X : levin::Model, or class X : public levin::Model
class Privately : levin::Model {
 public:
  torch::Tensor training_step(const levin::Batch& batch) { return batch.input(); }
};
auto privately = levin::model<Privately>("", "");

// refused: 'automatic_optimization' is not what Levin reads by that name: declare it as static constexpr bool automatic_optimization = false, or give it another name
struct MemberConstant : Base {
  bool automatic_optimization = false;
};
auto member_constant = levin::model<MemberConstant>("", "");

// refused: Levin never reads 'automatic_optimisation': did you mean 'static constexpr bool automatic_optimization = false'? Otherwise give it another name
struct British : Base {
  static constexpr bool automatic_optimisation = false;
};
auto british = levin::model<British>("", "");

// refused: 'prepare_data' of a model is called before there is a model: declare it as static void prepare_data(const levin::Args&)
struct PreparesItself : Base {
  void prepare_data() {}
};
auto prepares_itself = levin::model<PreparesItself>("", "");

// refused: 'load' is not what Levin calls by that name: declare it as public void load(levin::Reader)
struct OtherLoad : Base {
  void save(levin::Writer) const {}
  void load(const std::string&) {}
};
auto other_load = levin::model<OtherLoad>("", "");

// refused: 'save' without 'load': what it keeps would never be read; declare a public void load(levin::Reader)
struct OnlySave : Base {
  void save(levin::Writer) const {}
};
auto only_save = levin::model<OnlySave>("", "");

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

// refused: the hook 'on_train_start' returns nothing or a levin::Status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool or an int would be read as one
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

// The following classes are accepted.
struct Good : Base {
  void validation_step(levin::Batch, int64_t, int64_t) {}
  levin::Outputs predict_step(const levin::Batch&, const levin::StepInfo&) { return {}; }
  void save(levin::Writer) const {}
  void load(levin::Reader) {}
  torch::Tensor train_step() { return {}; }  // allowed in addition to training_step
  void test_step(const levin::Batch& batch) {
    log(std::string("test/") + "mean", batch[std::string("x")].mean());
    log(std::string("test/rows"), static_cast<double>(batch.rows()));
  }
};
auto good = levin::model<Good>("", "");
