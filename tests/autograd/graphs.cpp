#include "graphs.hpp"

#include <cstring>
#include <random>

#include "catch.hpp"
#include "core/autograd/backward.hpp"
#include "core/autograd/graph_walk.hpp"

namespace {

// The operators of random graphs. `square` gives 3x3 floats of whatever it gets.
class Operators {
 public:
  explicit Operators(unsigned seed) : random_(seed) {}
  size_t below(size_t n) { return random_() % n; }
  at::Tensor apply(const at::Tensor& a, const at::Tensor& b, const Tensors& leaves);

 private:
  static at::Tensor square(const at::Tensor& t) { return t.to(at::kFloat).expand({3, 3}); }
  at::Tensor apply_view(const at::Tensor& a);
  std::mt19937 random_;
};

at::Tensor Operators::apply_view(const at::Tensor& a) {
  const auto row = static_cast<int64_t>(below(3));
  switch (below(6)) {
    case 0:
      return square(a).t();
    case 1:
      return square(a).select(0, row);
    case 2:
      return square(a).unbind(0)[1];  // the others have no gradient
    case 3:
      return square(a).reshape({9}).slice(0, row, row + 3);
    case 4:
      return std::get<0>(torch::max(square(a), 0));
    default:
      return torch::split(square(a).clone(), 2)[0].sum(0);
  }
}

at::Tensor Operators::apply(const at::Tensor& a, const at::Tensor& b, const Tensors& leaves) {
  switch (below(13)) {
    case 0:
      return a + b;
    case 1:
      return a * b;
    case 2:
      return a * a;
    case 3:
      return torch::mm(square(a), square(b)) / 3;
    case 4:
      return (a * 2).add_(b.mean());
    case 5:
      return a.detach() * b;
    case 6: {
      const torch::NoGradGuard guard;
      return a + 1;
    }
    case 7:
      return torch::cat({square(a), square(b)}).sum(0);
    case 8:
      return torch::dropout(a, 0.3, true);
    case 9:
      return torch::linear(square(a), square(b), leaves[1]);
    case 10:
      return torch::where(a > 0, a, b.to(a.dtype()));
    default:
      return apply_view(a);
  }
}

Graph twice(const std::function<Graph()>& make, int backwards) {
  const Graph expected = make();
  const Graph got = make();
  for (int i = 1; i <= backwards; ++i) {
    const bool retain = i < backwards;
    expected.loss.backward({}, retain ? c10::optional<bool>(true) : c10::nullopt);
    levin::core::backward(got.loss, retain);
  }
  REQUIRE(same_bits(expected.loss, got.loss));
  for (size_t i = 0; i < got.leaves.size(); ++i) REQUIRE(same_bits(expected.leaves[i].grad(), got.leaves[i].grad()));
  return got;
}

}  // namespace

Graph random_graph(unsigned seed) {
  Operators operators(seed);
  torch::manual_seed(seed);
  Graph graph;
  for (unsigned i = 0; i < 4; ++i) {
    const auto options = at::TensorOptions(i == 3 ? at::kDouble : at::kFloat).requires_grad(i == 0 || seed % 5 != i);
    graph.leaves.push_back(i == 1 ? torch::randn({3}, options) : torch::randn({3, 3}, options));
  }
  Tensors values = graph.leaves;
  const auto pick = [&] { return values[operators.below(values.size())]; };
  for (size_t n = 5 + operators.below(30); n > 0; --n) {
    const at::Tensor a = pick();
    values.push_back(operators.apply(a, pick(), graph.leaves));
  }
  graph.loss = graph.leaves[0].sum() * 0;
  for (int i = 0; i < 3; ++i) graph.loss = graph.loss + pick().to(at::kFloat).mean();
  return graph;
}

bool is_walked(const at::Tensor& loss) {
  levin::core::GraphWalk walk;
  return walk.plan(*loss.grad_fn());
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.sizes() != b.sizes() || a.strides() != b.strides() || a.dtype() != b.dtype()) return false;
  return std::memcmp(a.detach().contiguous().data_ptr(), b.detach().contiguous().data_ptr(), a.nbytes()) == 0;
}

void check_gradients(const std::function<Graph()>& make) { twice(make, 1); }
void check_gradients_of_two_backwards(const std::function<Graph()>& make) { twice(make, 2); }

at::Tensor leaf(at::IntArrayRef shape) { return torch::randn(shape, at::TensorOptions().requires_grad(true)); }

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}
