// Optimizers, each of which breaks one rule of host check.
#include <levin/torch.hpp>

namespace {

enum class Fault { none, deaf, still, moves_all, forgets, throws };

template <Fault fault>
struct Momentum : levin::Optimizer {
  static constexpr levin_option options[] = {levin::number("lr", "0.1", "learning rate", 0, 10)};
  std::vector<at::Tensor> kept;  // state that a forgetful optimizer does not report

  void init_state(levin::OptimizerParam& p) {
    if (fault == Fault::forgets)
      kept.push_back(at::zeros_like(p.tensor));
    else
      p.state["buffer"] = at::zeros_like(p.tensor);
  }
  void step() {
    if (fault == Fault::still) return;
    if (fault == Fault::throws) throw std::runtime_error("this step never works");
    size_t next = 0;
    for (levin::OptimizerGroup& group : groups())
      for (levin::OptimizerParam& p : group.params) {
        at::Tensor& buffer = fault == Fault::forgets ? kept.at(next++) : p.state.at("buffer");
        if (p.tensor.grad().defined())
          p.tensor.sub_(buffer.mul_(0.9).add_(p.tensor.grad()), group["lr"]);
        else if (fault == Fault::moves_all)
          p.tensor.mul_(0.9);
      }
  }
};

template <Fault fault>
levin_component momentum(const char* id) {
  return levin::optimizer<Momentum<fault>>(id, "Breaks one rule");
}

const levin_object* deaf_table() {
  static const levin_optimizer table = [] {
    levin_optimizer t = levin::detail::make_optimizer_table<Momentum<Fault::deaf>>();
    t.set = [](void*, uint32_t, const char*, double) noexcept -> levin_status { return LEVIN_OK; };
    return t;
  }();
  return &table.o;
}
levin_component deaf() {
  levin_component c = momentum<Fault::deaf>("deaf");
  c.create = &levin::detail::create<levin::detail::Holder<Momentum<Fault::deaf>, levin::detail::NoExtra>, &deaf_table>;
  return c;
}

}  // namespace

LEVIN_PLUGIN("levin.test.faulty_optimizers", "1.0.0", "Apache-2.0", momentum<Fault::none>("none"), deaf(),
             momentum<Fault::still>("still"), momentum<Fault::moves_all>("moves_all"),
             momentum<Fault::forgets>("forgets"), momentum<Fault::throws>("throws"))
