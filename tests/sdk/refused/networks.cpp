// Each message is on one line, regardless of its length:
// clang-format off
#include <levin/torch.hpp>

struct Net : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x; }
};

// refused: the network of a classifier or regressor derives from torch::nn::Module
struct NoModule {
  torch::Tensor forward(torch::Tensor x) { return x; }
};
auto no_module = levin::classifier<NoModule>("", "");

// refused: the class derives privately from torch::nn::Module, so Levin cannot use it: write struct X : torch::nn::Module, or class X : public torch::nn::Module
class Privately : torch::nn::Module {
 public:
  torch::Tensor forward(torch::Tensor x) { return x; }
};
auto privately = levin::classifier<Privately>("", "");

// refused: Levin never calls 'on_train_epoch_edn': did you mean 'on_train_epoch_end'? Otherwise give it another name
struct Misspelt : Net {
  void on_train_epoch_edn() {}
};
auto misspelt = levin::regressor<Misspelt>("", "");

// refused: the network of a classifier or regressor has a public forward that takes one torch::Tensor, the input
struct TwoInputs : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x, torch::Tensor) { return x; }
};
auto two_inputs = levin::regressor<TwoInputs>("", "");

// refused: a network is made from (const levin::Args&, const levin::DataInfo&), from one of them or from nothing: derive from yours a class with such a constructor, which knows data.input_size() and data.classes()
struct Sized : Net {
  explicit Sized(int64_t) {}
};
auto sized = levin::classifier<Sized>("", "");

// refused: a network with a step of its own needs log and data: derive it from levin::Model instead of torch::nn::Module
struct Steps : Net {
  torch::Tensor training_step(const levin::Batch& b) { return b.input(); }
};
auto steps = levin::classifier<Steps>("", "");

// refused: forward returns several tensors: declare static constexpr double loss_weights[] = {1, 0.4}, which counts the first 1 and the second 0.4 in the loss of training, or torch::Tensor loss(const Output&, const torch::Tensor& target)
struct Heads : torch::nn::Module {
  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor x) { return {x, x}; }
};
auto heads = levin::classifier<Heads>("", "");

// refused: forward returns no tensor, nor a tuple, pair or vector that begins with one: declare torch::Tensor prediction(const Output&), and torch::Tensor loss(const Output&, const torch::Tensor& target), where Output is what forward returns
struct Unknown : torch::nn::Module {
  struct Out {};
  Out forward(torch::Tensor) { return {}; }
};
auto unknown = levin::classifier<Unknown>("", "");

// refused: 'loss_weights' has a weight for what is no tensor of those that forward returns
struct ThreeWeights : Heads {
  static constexpr double loss_weights[] = {1, 1, 1};
};
auto three_weights = levin::classifier<ThreeWeights>("", "");

// refused: 'loss' is not what Levin calls by that name in a network: declare it as public torch::Tensor loss(const Output&, const torch::Tensor& target), where Output is what forward returns, or give it another name
struct OtherLoss : Net {
  torch::Tensor loss(torch::Tensor, torch::Tensor, double) { return {}; }
};
auto other_loss = levin::classifier<OtherLoss>("", "");

// refused: the hook 'on_train_start' is private or protected, so nobody can call it: make it public
class Hidden : public Net {
  void on_train_start() {}
};
auto hidden = levin::classifier<Hidden>("", "");

// refused: 'configure_optimizers' is not what Levin calls by that name: declare it as void configure_optimizers(levin::OptimPlan&)
struct Keras : Net {
  void configure_optimizers() {}
};
auto keras = levin::classifier<Keras>("", "");

// The following classes are accepted.
struct Good : Net {
  torch::Tensor loss;  // a data member
  int options = 3;
  void on_train_epoch_end(const levin::Event&) {}
};
auto good = levin::classifier<Good>("", "");
