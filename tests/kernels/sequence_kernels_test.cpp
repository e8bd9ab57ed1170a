// The kernels of recurrent and attention networks: LSTM and products.
#include <ATen/Parallel.h>
#include <ATen/ops/addmm_cpu_dispatch.h>
#include <ATen/ops/bmm_cpu_dispatch.h>
#include <ATen/ops/lstm_compositeimplicitautograd_dispatch.h>
#include <ATen/ops/mm_cpu_dispatch.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include <exception>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "comparison.hpp"
#include "core/abi/torch_compat.hpp"

using namespace levin::core;
using at::Tensor;
using Tensors = std::vector<Tensor>;

namespace {

int64_t pick(int64_t low, int64_t high) { return at::randint(low, high + 1, {1}).item<int64_t>(); }

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

// A matrix or a batch of matrices, row-major, transposed or with gaps.
Tensor random_matrix(std::vector<int64_t> sizes) {
  const int64_t kind = pick(0, 3);
  const size_t last = sizes.size() - 1;
  if (kind == 1) {
    std::swap(sizes[last], sizes[last - 1]);
    return at::randn(sizes).transpose(-1, -2);
  }
  if (kind == 2) {
    const int64_t columns = sizes[last];
    sizes[last] += 3;
    return at::randn(sizes).narrow(-1, 1, columns);
  }
  if (kind == 3) {
    sizes[last] *= 2;
    return at::randn(sizes).slice(-1, 0, sizes[last], 2);
  }
  return at::randn(sizes);
}

struct Lstm {
  int64_t steps, batch, inputs, width, layers = 1;
  bool bidirectional = false, batch_first = false, biases = true, train = true;
  double dropout = 0;
  at::ScalarType type = at::kFloat;
  int64_t projection = 0;

  Tensors all() const {  // input, two states, parameters
    const int64_t directions = bidirectional ? 2 : 1, out = projection > 0 ? projection : width;
    const auto numbers = [&](at::IntArrayRef sizes) { return (at::randn(sizes) * 0.3).to(type); };
    Tensors made = {batch_first ? numbers({batch, steps, inputs}) : numbers({steps, batch, inputs}),
                    numbers({layers * directions, batch, out}), numbers({layers * directions, batch, width})};
    for (int64_t layer = 0; layer < layers; ++layer)
      for (int64_t i = 0; i < directions; ++i) {
        made.push_back(numbers({4 * width, layer == 0 ? inputs : directions * out}));
        made.push_back(numbers({4 * width, out}));
        if (biases) made.insert(made.end(), {numbers({4 * width}), numbers({4 * width})});
        if (projection > 0) made.push_back(numbers({projection, width}));
      }
    return made;
  }
  Tensors run(const Tensors& all, bool ours) const {
    const Tensors states(all.begin() + 1, all.begin() + 3), parameters(all.begin() + 3, all.end());
    at::manual_seed(7);
    const auto out =
        ours ? at::lstm(all[0], states, parameters, biases, layers, dropout, train, bidirectional, batch_first)
             : at::compositeimplicitautograd::lstm(all[0], states, parameters, biases, layers, dropout, train,
                                                   bidirectional, batch_first);
    return {std::get<0>(out), std::get<1>(out), std::get<2>(out)};
  }
};

Tensors copies(const Tensors& of, bool gradients, int64_t without = -1) {
  Tensors out;
  for (size_t i = 0; i < of.size(); ++i)
    out.push_back(of[i].clone().requires_grad_(gradients && static_cast<int64_t>(i) != without));
  return out;
}

// used: which of the outputs have gradients
Tensors lstm_gradients(const Lstm& of, const Tensors& all, bool ours, const std::vector<bool>& used) {
  const Tensors out = of.run(all, ours);
  Tensors outputs, given, inputs;
  at::manual_seed(8);
  for (size_t i = 0; i < out.size(); ++i)
    if (used[i]) {
      outputs.push_back(out[i]);
      given.push_back(at::randn(out[i].sizes()).to(of.type));
    }
  for (const Tensor& input : all)
    if (input.requires_grad()) inputs.push_back(input);
  return torch::autograd::grad(outputs, inputs, given, false, false, true);
}

void check_lstm(const Lstm& of) {
  INFO("steps " << of.steps << ", batch " << of.batch << ", inputs " << of.inputs << ", width " << of.width
                << ", layers " << of.layers << ", bidirectional " << of.bidirectional << ", batch_first "
                << of.batch_first << ", biases " << of.biases << ", dropout " << of.dropout);
  const Tensors all = of.all();
  {
    const at::NoGradGuard no_grad;
    const Tensors ours = of.run(all, true), theirs = of.run(all, false);
    for (size_t i = 0; i < 3; ++i) check_near(ours[i], theirs[i], 2e-6);
  }
  const Tensors ours = of.run(copies(all, true), true), theirs = of.run(copies(all, true), false);
  for (size_t i = 0; i < 3; ++i) check_near(ours[i], theirs[i], 2e-6);
  for (const std::vector<bool>& used :
       {std::vector<bool>{true, true, true}, {true, false, false}, {false, true, false}, {false, false, true}}) {
    const Tensors a = lstm_gradients(of, copies(all, true), true, used);
    const Tensors b = lstm_gradients(of, copies(all, true), false, used);
    REQUIRE(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      INFO("gradient " << i);
      if (!b[i].defined())
        CHECK((!a[i].defined() || a[i].abs().max().item<double>() == 0));
      else
        check_near(a[i].contiguous(), b[i].contiguous(), 2e-5);
    }
  }
}

}  // namespace

TEST_CASE("an LSTM and its gradients are LibTorch's to rounding") {
  begin();
  check_lstm({5, 3, 4, 6});
  check_lstm({1, 1, 1, 1});
  check_lstm({7, 33, 17, 35});
  check_lstm({40, 16, 8, 24});
  check_lstm({3, 300, 5, 16});
  check_lstm({6, 2, 300, 40});
  for (int i = 0; i < 20; ++i) {
    Lstm of{pick(1, 9), pick(1, 9), pick(1, 20), pick(1, 40), pick(1, 3)};
    of.bidirectional = pick(0, 1) == 1;
    of.batch_first = pick(0, 1) == 1;
    of.dropout = pick(0, 2) == 0 ? 0.4 : 0;
    of.train = pick(0, 3) > 0;
    check_lstm(of);
  }
}

TEST_CASE("other LSTMs, and refusals, are LibTorch's") {
  begin();
  Lstm of{4, 3, 5, 6, 2};
  of.biases = false;
  check_lstm(of);
  of.biases = true;
  of.type = at::kDouble;
  check_lstm(of);
  of.type = at::kFloat;
  of.projection = 2;
  check_lstm(of);
  of = {4, 3, 5, 6};
  int refused = 0;
  for (size_t wrong = 0; wrong < 7; ++wrong) {
    Tensors all = of.all();
    all[wrong] = at::randn({2, 2, 2});
    const std::string ours = error_of([&] { of.run(all, true); }), theirs = error_of([&] { of.run(all, false); });
    INFO("part " << wrong);
    CHECK(ours == theirs);
    refused += theirs.empty() ? 0 : 1;
  }
  CHECK(refused >= 4);  // LibTorch 2.6 does not see all of them
}

TEST_CASE("an LSTM takes strided inputs and gradients") {
  begin();
  const Lstm of{6, 4, 5, 8};
  Tensors all = of.all();
  all[0] = at::randn({6, 4, 10}).slice(2, 0, 10, 2);
  all[1] = at::randn({1, 8, 4}).transpose(1, 2);
  all[3] = at::randn({5, 32}).t();
  const auto gradients = [&](bool ours) {
    Tensors leaves;
    for (const Tensor& part : all) leaves.push_back(part.detach().requires_grad_(true));
    const Tensor out = of.run(leaves, ours)[0];
    return torch::autograd::grad({out}, leaves, {at::randn({8}).expand({6, 4, 8})}, false, false, true);
  };
  at::manual_seed(3);
  const Tensors a = gradients(true);
  at::manual_seed(3);
  const Tensors b = gradients(false);
  for (size_t i = 0; i < a.size(); ++i)
    if (b[i].defined()) check_near(a[i].contiguous(), b[i].contiguous(), 2e-5);
}

TEST_CASE("an LSTM has gradients for the parts that want them") {
  begin();
  const Lstm of{5, 3, 4, 6};
  const Tensors all = of.all();
  for (int64_t without = 0; without < 7; ++without) {
    const Tensors a = lstm_gradients(of, copies(all, true, without), true, {true, true, true});
    const Tensors b = lstm_gradients(of, copies(all, true, without), false, {true, true, true});
    REQUIRE(a.size() == 6);
    for (size_t i = 0; i < a.size(); ++i) check_near(a[i].contiguous(), b[i].contiguous(), 2e-5);
  }
  Tensors frozen = copies(all, false);
  CHECK_FALSE(of.run(frozen, true)[0].requires_grad());
  frozen[5].requires_grad_(true);
  const Tensors one = lstm_gradients(of, frozen, true, {true, false, false});
  REQUIRE(one.size() == 1);
  CHECK(one[0].abs().sum().item<double>() > 0);
}

TEST_CASE("the output of an LSTM may be changed in place, and its graph used twice") {
  begin();
  const Lstm of{5, 3, 4, 6};
  const Tensors all = copies(of.all(), true);
  const auto gradients = [&](bool ours) {
    Tensor out = of.run(all, ours)[0];
    out = ours ? out.mul_(2) : out * 2;
    const Tensor loss = out.pow(2).sum();
    torch::autograd::grad({loss}, {all[3]}, {}, true);
    return torch::autograd::grad({loss}, {all[3], all[0]});
  };
  const Tensors a = gradients(true), b = gradients(false);
  for (size_t i = 0; i < a.size(); ++i) check_near(a[i].contiguous(), b[i].contiguous(), 5e-5);
}

TEST_CASE("gradients of gradients go through an LSTM") {
  begin();
  Lstm of{3, 2, 3, 4, 2};
  of.bidirectional = true;
  const Tensors all = of.all();
  const auto second = [&](bool ours) {
    const Tensors leaves = copies(all, true);
    const Tensors out = of.run(leaves, ours);
    const Tensor loss = out[0].pow(2).sum() + out[2].sum();
    const Tensors first = torch::autograd::grad({loss}, {leaves[0], leaves[4]}, {}, true, true);
    return torch::autograd::grad({first[0].pow(2).sum() + first[1].pow(3).sum()}, leaves, {}, false, false, true);
  };
  const Tensors a = second(true), b = second(false);
  for (size_t i = 0; i < a.size(); ++i)
    if (b[i].defined()) check_near(a[i].contiguous(), b[i].contiguous(), 1e-4);
}

TEST_CASE("gradients with a graph are right for an LSTM whose inputs depend on each other or are the same tensor") {
  begin();
  const Lstm of{3, 2, 4, 4};
  const Tensors all = of.all();
  using Graph = std::function<Tensor(const Tensors& leaves, bool ours)>;
  const auto with = [](Tensors parts, std::initializer_list<std::pair<size_t, Tensor>> changes) {
    for (const auto& [at, tensor] : changes) parts[at] = tensor;
    return parts;
  };
  const std::pair<const char*, Graph> graphs[] = {
      {"two calls that carry the state",
       [&](const Tensors& leaves, bool ours) {
         const Tensors first = of.run(leaves, ours);
         const Tensors second = of.run(with(leaves, {{0, first[0]}, {1, first[1]}, {2, first[2]}}), ours);
         return second[0].pow(2).sum() + second[2].sum();
       }},
      {"a state that depends on the input",
       [&](const Tensors& leaves, bool ours) {
         const Tensor state = leaves[0].mean(0, true).tanh();
         return of.run(with(leaves, {{1, state}, {2, state}}), ours)[0].pow(2).sum();
       }},
      {"weights that are the same tensor", [&](const Tensors& leaves, bool ours) {
         return of.run(with(leaves, {{4, leaves[3]}, {6, leaves[5]}}), ours)[0].pow(2).sum();
       }}};
  for (const auto& [name, graph] : graphs) {
    INFO(name);
    const auto gradients = [&, &graph = graph](bool ours) {
      const Tensors leaves = copies(all, true);
      Tensors found = torch::autograd::grad({graph(leaves, ours)}, leaves, {}, true, true, true);
      Tensor penalty = at::zeros({});
      for (const Tensor& gradient : found)
        if (gradient.defined()) penalty = penalty + gradient.pow(2).sum();
      const Tensors second = torch::autograd::grad({penalty}, leaves, {}, false, false, true);
      found.insert(found.end(), second.begin(), second.end());
      return found;
    };
    const Tensors a = gradients(true), b = gradients(false);
    for (size_t i = 0; i < a.size(); ++i) {
      INFO("gradient " << i);
      if (b[i].defined()) check_near(a[i].contiguous().detach(), b[i].contiguous().detach(), 1e-4);
    }
  }
}

TEST_CASE("inputs of an LSTM may be changed in place before its backward where LibTorch's allows it") {
  begin();
  for (const int64_t steps : {1, 3}) {
    const Lstm of{steps, 2, 4, 4};
    const Tensors all = of.all();
    for (uint32_t wants = 1; wants < 128; ++wants)
      for (size_t changed = 0; changed < 7; ++changed) {
        INFO(steps << " steps, gradients for " << wants << ", input " << changed << " is changed");
        const auto gradients = [&](bool ours, Tensors& found) {
          Tensors leaves, wanted;
          for (size_t i = 0; i < 7; ++i) {
            leaves.push_back(all[i].clone().requires_grad_((wants >> i & 1) != 0));
            if (leaves[i].requires_grad()) wanted.push_back(leaves[i]);
          }
          const Tensor loss = of.run(leaves, ours)[0].sum();
          {
            const at::NoGradGuard no_grad;
            leaves[changed].mul_(3);
          }
          return error_of([&] { found = torch::autograd::grad({loss}, wanted, {}, false, false, true); });
        };
        Tensors a, b;
        const std::string ours = gradients(true, a), theirs = gradients(false, b);
        const auto refused = [](const std::string& error) { return error.find("inplace operation") != error.npos; };
        CHECK(refused(ours) == refused(theirs));
        REQUIRE(a.size() == b.size());
        for (size_t i = 0; i < a.size(); ++i)
          if (b[i].defined()) check_near(a[i].contiguous(), b[i].contiguous(), 2e-5);
      }
  }
}

TEST_CASE("infinities and NaN go through an LSTM as through LibTorch's") {
  begin();
  const Lstm of{4, 3, 5, 6};
  for (const float value : {inf, -inf, not_a_number}) {
    Tensors all = of.all();
    all[0][1][1][2] = value;
    const Tensors ours = of.run(all, true), theirs = of.run(all, false);
    for (size_t i = 0; i < 3; ++i) check_near(ours[i], theirs[i], 2e-6);
    const Tensors a = lstm_gradients(of, copies(all, true), true, {true, true, true});
    const Tensors b = lstm_gradients(of, copies(all, true), false, {true, true, true});
    for (size_t i = 0; i < a.size(); ++i) CHECK(a[i].isfinite().equal(b[i].isfinite()));
  }
}

TEST_CASE("products are LibTorch's to rounding for any size and stride") {
  begin();
  for (int i = 0; i < 300; ++i) {
    const int64_t m = pick(1, 90), k = i % 10 == 0 ? pick(300, 600) : pick(1, 90), n = pick(1, 90), batch = pick(1, 4);
    INFO(m << " x " << k << " x " << n);
    const Tensor a = random_matrix({m, k}), b = random_matrix({k, n}), bias = at::randn({n});
    check_near(at::mm(a, b), at::cpu::mm(a, b), 5e-5);
    check_near(at::addmm(bias, a, b), at::cpu::addmm(bias, a, b), 5e-5);
    check_near(at::addmm(bias, a, b, 0.5, 2), at::cpu::addmm(bias, a, b, 0.5, 2), 5e-5);
    check_near(at::addmm(at::randn({1}).expand({n}), a, b, 0), at::cpu::addmm(bias, a, b, 0), 5e-5);
    const Tensor x = random_matrix({batch, m, k}), y = random_matrix({batch, k, n});
    check_near(at::bmm(x, y), at::cpu::bmm(x, y), 5e-5);
  }
  const Tensor one = at::randn({1, 20, 30}), same = one.expand({5, 20, 30}), other = at::randn({5, 30, 8});
  check_near(at::bmm(same, other), at::cpu::bmm(same, other), 5e-5);
  check_near(at::mm(at::randn({0, 4}), at::randn({4, 3})), at::zeros({0, 3}), 0);
  check_near(at::mm(at::randn({5, 0}), at::randn({0, 3})), at::zeros({5, 3}), 0);
  const Tensor wide = at::randn({20, 30}).to(at::kDouble);
  check_near(at::mm(wide, wide.t()), at::cpu::mm(wide, wide.t()), 1e-12);
  const auto refusal = [&](const Tensor& x, const Tensor& y) {
    const std::string ours = error_of([&] { at::mm(x, y); });
    CHECK_FALSE(ours.empty());
    CHECK(ours == error_of([&] { at::cpu::mm(x, y); }));
  };
  refusal(at::randn({20, 30}), at::randn({20, 30}));
  refusal(at::randn({20, 30}), wide.t());
}

TEST_CASE("products of infinities and NaN are LibTorch's") {
  begin();
  Tensor a = at::rand({40, 30}) + 1, b = at::rand({30, 20}) + 1;
  a[3][4] = inf;
  a[7][1] = not_a_number;
  b[2][5] = -inf;
  check_near(at::mm(a, b), at::cpu::mm(a, b), 1e-5);
}

TEST_CASE("products of other types are LibTorch's") {
  begin();
  const Tensor a = at::rand({20, 30}), b = at::rand({30, 12});
  for (const at::ScalarType type : {at::kDouble, at::kBFloat16, at::kComplexFloat, at::kLong}) {
    INFO("type " << type);
    const Tensor x = (a * 9).to(type), y = (b * 9).to(type);
    const at::AutoDispatchBelowAutograd as_in_a_kernel;  // oneDNN's product, which some processors have, asks for it
    CHECK(at::mm(x, y).equal(at::cpu::mm(x, y)));
    CHECK(at::bmm(x.unsqueeze(0), y.unsqueeze(0)).equal(at::cpu::bmm(x.unsqueeze(0), y.unsqueeze(0))));
  }
}

TEST_CASE("autocast computes an LSTM and products in its own type") {
  begin();
  const Lstm of{6, 4, 5, 8};
  const Tensors all = of.all();
  const AutocastGuard autocast(at::kCPU, at::kBFloat16);
  const Tensors ours = of.run(all, true), theirs = of.run(all, false);
  for (size_t i = 0; i < ours.size(); ++i) CHECK(ours[i].equal(theirs[i]));
  CHECK(at::mm(all[3], all[3].t()).scalar_type() == at::kBFloat16);
}

TEST_CASE("kernels that are switched off leave LSTMs and products to LibTorch") {
  begin();
  const Lstm of{6, 4, 5, 8};
  const Tensors all = of.all();
  const Tensor a = at::randn({40, 30}), b = at::randn({30, 20});
  switch_cpu_kernels(false);
  const Tensors ours = of.run(all, true), theirs = of.run(all, false);
  for (size_t i = 0; i < ours.size(); ++i) CHECK(ours[i].equal(theirs[i]));
  CHECK(at::mm(a, b).equal(at::cpu::mm(a, b)));
  switch_cpu_kernels(true);
}

TEST_CASE("an LSTM in inference mode, and one whose kernels change before its backward") {
  begin();
  const Lstm of{6, 4, 5, 8, 2};
  const Tensors all = of.all();
  {
    const c10::InferenceMode inference;
    const Tensors ours = of.run(copies(all, false), true), theirs = of.run(copies(all, false), false);
    for (size_t i = 0; i < ours.size(); ++i) check_near(ours[i], theirs[i], 2e-6);
  }
  const auto gradients = [&](bool change) {
    const Tensors leaves = copies(all, true);
    const Tensor loss = of.run(leaves, true)[0].pow(2).sum();
    switch_cpu_kernels(!change);
    const Tensors out = torch::autograd::grad({loss}, leaves);
    switch_cpu_kernels(true);
    return out;
  };
  const Tensors a = gradients(true), b = gradients(false);
  for (size_t i = 0; i < a.size(); ++i) check_near(a[i], b[i], 2e-5);
}

TEST_CASE("sequence kernels give the same bits with any number of threads") {
  begin();
  const int before = at::get_num_threads();
  const Lstm of{20, 37, 24, 64};
  const Tensors all = of.all();
  const Tensor a = at::randn({2000, 50}), b = at::randn({50, 130}), x = at::randn({40, 64, 64});
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    Tensors out = of.run(copies(all, true), true);
    const Tensors gradients = lstm_gradients(of, copies(all, true), true, {true, true, true});
    out.insert(out.end(), gradients.begin(), gradients.end());
    out.insert(out.end(), {at::mm(a, b), at::addmm(b[0], a, b), at::bmm(x, x)});
    return out;
  };
  const Tensors one = run(1), three = run(3), four = run(4);
  for (size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].equal(three[i]));
    CHECK(one[i].equal(four[i]));
  }
  at::set_num_threads(before);
}
