// A callback that uses collectives correctly and incorrectly when a fit starts.
#include <levin/torch.hpp>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "script.hpp"

namespace {

constexpr const char* const all_deeds[] = {"collectives", "other_shape", "other_type", "other_call", "other_group",
                                           "late_shape",  "throw",       "no_sender",  "no_reader",  nullptr};

struct Peers : levin::Callback {
  static constexpr levin_option options[] = {levin::choice("do", "\"collectives\"", "what happens", all_deeds)};
  const std::string deed;
  std::optional<levin::Work> kept;
  std::optional<levin::Group> kept_group;
  explicit Peers(const levin::Args& o) : deed(o.text("do")) {}

  void on_fit_start(const levin::Event& e) {
    const levin::TorchDist dist(e.run());
    const int64_t rank = dist.rank();
    const bool last = rank + 1 == dist.world_size();
    if (deed == "collectives") return collectives(dist), message(dist), keep(dist);
    if (deed == "other_shape") dist.all_reduce(at::ones({last ? 3 : 2}));
    if (deed == "other_type") dist.all_gather(at::ones({2}, last ? at::kLong : at::kFloat));
    if (deed == "other_call" && last) dist.barrier();
    if (deed == "other_call") dist.broadcast(at::ones({2, 2}));
    if (deed == "other_group") dist.new_group(last ? std::vector<uint32_t>{1} : std::vector<uint32_t>{0, 1});
    if (deed == "late_shape") dist.all_reduce_async(at::ones({last ? 3 : 2})).wait();
    const at::Tensor large = at::zeros({1 << 20});
    if (deed == "no_sender" && !last) dist.recv(large, 1);
    if (deed == "no_reader" && !last) dist.send(large, 1);
    if (deed == "no_sender" || deed == "no_reader") dist.barrier();
    if (deed == "throw" && last) throw std::runtime_error("the last rank has had enough");
    if (deed == "throw") dist.all_reduce(at::ones({2}));
  }

 private:
  static void say(const levin::TorchDist& dist, const std::string& what, bool good) {
    scripted::record("rank " + std::to_string(dist.rank()) + " " + what + (good ? " good" : " WRONG"));
  }

  // The gradients must equal those of one process whose graph has the tensors of all ranks.
  static void gradients(const levin::TorchDist& dist) {
    const int64_t n = dist.world_size(), rank = dist.rank();
    const auto of_rank = [](int64_t r) { return at::full({2}, static_cast<double>(r + 1)).set_requires_grad(true); };
    const auto loss_of = [n](const std::vector<at::Tensor>& all, int64_t r) {
      at::Tensor loss = at::zeros({});
      for (int64_t i = 0; i + 1 < n || i == 0; ++i)
        loss = loss + (all[static_cast<size_t>(i)].pow(2) * all[0]).sum() * (r + i + 1);
      return loss;  // with several ranks, no loss depends on the last one
    };
    const at::Tensor mine = of_rank(rank);
    const std::vector<at::Tensor> all = dist.all_gather(mine, levin::Group(), true);
    loss_of(all, rank).backward();
    std::vector<at::Tensor> alone;
    at::Tensor total = at::zeros({});
    for (int64_t r = 0; r < n; ++r) alone.push_back(of_rank(r));
    for (int64_t r = 0; r < n; ++r) total = total + loss_of(alone, r);
    total.backward();
    const at::Tensor expected = alone[static_cast<size_t>(rank)].grad();
    say(dist, "gradients", mine.grad().allclose(expected.defined() ? expected : at::zeros({2})));
    const at::Tensor loss = dist.all_gather(mine, levin::Group(), true)[0].pow(2).sum();
    std::string refusal;
    try {
      torch::autograd::grad({loss}, {mine}, {}, c10::nullopt, /*create_graph=*/true);
    } catch (const std::exception& error) {
      refusal = error.what();
    }
    say(dist, "gradients of gradients", refusal.find("gradients of gradients") != std::string::npos);
    say(dist, "no gradients", !dist.all_gather(mine)[0].requires_grad());
  }

  // Collectives must work for any type, layout and number of elements. The tensor is not contiguous and differs between
  // ranks.
  static at::Tensor of_rank(at::ScalarType type, int64_t r) {
    const at::Tensor numbers = at::arange(6) + r;
    return (type == at::kBool ? numbers.remainder(2) : numbers).to(type).view({2, 3}).t();
  }
  static bool reduces(const levin::TorchDist& dist, at::ScalarType type) {
    std::vector<at::Tensor> all;
    for (int64_t r = 0; r < dist.world_size(); ++r) all.push_back(of_rank(type, r).to(at::kDouble));
    const at::Tensor every = at::stack(all);
    const at::Tensor sum = of_rank(type, dist.rank()), least = sum.clone(), most = sum.clone(), mean = sum.clone();
    dist.all_reduce(sum, LEVIN_REDUCE_SUM);
    dist.all_reduce(least, LEVIN_REDUCE_MIN);
    dist.all_reduce(most, LEVIN_REDUCE_MAX);
    if (sum.is_floating_point()) dist.all_reduce(mean, LEVIN_REDUCE_MEAN);
    return sum.equal(every.sum(0).to(type)) && least.equal(every.amin(0).to(type)) &&
           most.equal(every.amax(0).to(type)) &&
           (!sum.is_floating_point() || mean.to(at::kDouble).allclose(every.mean(0), 1e-2));
  }
  static void kinds(const levin::TorchDist& dist) {
    const int64_t n = dist.world_size(), rank = dist.rank();
    for (const at::ScalarType type :
         {at::kHalf, at::kBFloat16, at::kDouble, at::kShort, at::kByte, at::kLong, at::kBool}) {
      const std::vector<at::Tensor> all = dist.all_gather(of_rank(type, rank));
      bool gathered = true;
      for (int64_t r = 0; r < n; ++r) gathered = gathered && all.at(static_cast<size_t>(r)).equal(of_rank(type, r));
      say(dist, c10::toString(type), gathered && all.back().scalar_type() == type && reduces(dist, type));
    }
    halves(dist);
    const at::Tensor none = at::zeros({0, 4}), scalar = at::full({}, static_cast<double>(rank));
    dist.all_reduce(none);
    dist.all_reduce(scalar);
    say(dist, "sizes",
        dist.all_gather(none).at(0).size(1) == 4 && scalar.item().toDouble() == static_cast<double>(n * (n - 1) / 2));
  }

  // The sum does not fit into 16 bits.
  static void halves(const levin::TorchDist& dist) {
    const at::Tensor large = at::full({1}, 40000.0, at::kHalf), everywhere = large.clone(), of_root = large.clone(),
                     part = large.clone();
    const std::vector<at::Tensor> parts(static_cast<size_t>(dist.world_size()), large);
    dist.all_reduce(everywhere, LEVIN_REDUCE_MEAN);
    dist.reduce_async(of_root, 0, LEVIN_REDUCE_MEAN).wait();
    dist.reduce_scatter_async(part, parts, LEVIN_REDUCE_MEAN).wait();
    say(dist, "halves", everywhere.equal(large) && part.equal(large) && (dist.rank() != 0 || of_root.equal(large)));
  }

  // The part and its target are views of the same tensor.
  static void places(const levin::TorchDist& dist) {
    const int64_t n = dist.world_size();
    const at::Tensor whole = at::arange(2 * n + 2), out = whole.narrow(0, 2 * n, 2);
    std::vector<at::Tensor> parts;
    for (int64_t r = 0; r < n; ++r) parts.push_back(whole.narrow(0, 2 * r, 2));
    const at::Tensor expected = parts[dist.rank()].clone();
    dist.scatter_async(out, parts).wait();
    const bool scattered = out.equal(expected);
    dist.reduce_scatter(out, parts);
    say(dist, "places", scattered && out.equal(expected * n));
  }

  static void collectives(const levin::TorchDist& dist) {
    places(dist);
    gradients(dist);
    kinds(dist);
    const auto n = dist.world_size(), rank = dist.rank();
    const levin::Group evens = dist.new_group(n > 2 ? std::vector<uint32_t>{2, 0} : std::vector<uint32_t>{0});
    if (evens.is_member()) {
      const at::Tensor t = at::full({3}, static_cast<double>(rank));
      levin::Work sum = dist.all_reduce_async(t, LEVIN_REDUCE_SUM, evens);
      const std::vector<at::Tensor> all = dist.all_gather(at::full({1}, static_cast<double>(rank)), evens);
      sum.wait();
      say(dist, "group", t[0].item().toDouble() == (n > 2 ? 2 : 0) && all.at(0).item().toDouble() == (n > 2 ? 2 : 0));
    }
    levin::Work all = dist.all_gather_async(at::full({2}, static_cast<double>(rank)));
    const std::vector<std::string> texts = dist.all_gather_bytes(std::string(rank * 3, 'y'));
    all.wait();
    say(dist, "order",
        dist.tensors(all.tensors()).back()[1].item().toDouble() == n - 1 && texts.back().size() == 3 * (n - 1));
  }

  static void message(const levin::TorchDist& dist) {
    if (dist.world_size() == 1) return;
    if (dist.rank() == 0) dist.send(at::ones({2}), 1), dist.send(at::full({2}, 7.0), 1);
    if (dist.rank() != 1) return;
    const at::Tensor wrong = at::zeros({3}), right = at::zeros({2});
    try {
      dist.recv(wrong, 0);
    } catch (const levin::Error& error) {
      scripted::record(error.what());
    }
    dist.recv(right, 0);
    say(dist, "after it", right[0].item().toDouble() == 7);
  }

  // Keeps handles that outlive the run.
  void keep(const levin::TorchDist& dist) {
    kept_group.emplace(dist.new_group({0}));
    kept.emplace(dist.all_reduce_async(at::ones({2})));
    if (dist.world_size() > 1 && dist.rank() == 0) dist.irecv(at::ones({2}), 1);
    if (dist.world_size() > 1 && dist.rank() == 1) dist.isend(at::ones({2}), 0, 3);
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.peers", "1.0.0", "Apache-2.0", levin::callback<Peers>("peers", "Uses the other ranks"))
