// A callback that uses the other processes of its run, rightly or not, when a fit starts.
#include <levin/torch.hpp>

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

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

  // The graph of one process that has the tensors of all ranks gives the same gradients.
  static void gradients(const levin::TorchDist& dist) {
    const int64_t n = dist.world_size(), rank = dist.rank();
    const auto of_rank = [](int64_t r) { return at::full({2}, static_cast<double>(r + 1)).set_requires_grad(true); };
    const auto loss_of = [n](const std::vector<at::Tensor>& all, int64_t r) {
      at::Tensor loss = at::zeros({});
      for (int64_t i = 0; i + 1 < n || i == 0; ++i)
        loss = loss + (all[static_cast<size_t>(i)].pow(2) * all[0]).sum() * (r + i + 1);
      return loss;  // the last of several ranks is in nobody's loss
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
    say(dist, "no gradients", !dist.all_gather(mine)[0].requires_grad());
  }

  // Whatever the type, the layout and the number of elements.
  static void kinds(const levin::TorchDist& dist) {
    const int64_t n = dist.world_size(), rank = dist.rank();
    for (const at::ScalarType type :
         {at::kHalf, at::kBFloat16, at::kDouble, at::kShort, at::kByte, at::kLong, at::kBool}) {
      const at::Tensor t = at::ones({2, 3}, type).t();  // not contiguous
      dist.all_reduce(t, LEVIN_REDUCE_MAX);
      const std::vector<at::Tensor> all = dist.all_gather(t);
      say(dist, c10::toString(type),
          t.equal(at::ones({3, 2}, type)) && all.back().equal(t) && all.back().scalar_type() == type);
    }
    const at::Tensor none = at::zeros({0, 4}), scalar = at::full({}, static_cast<double>(rank));
    dist.all_reduce(none);
    dist.all_reduce(scalar);
    say(dist, "sizes",
        dist.all_gather(none).at(0).size(1) == 4 && scalar.item().toDouble() == static_cast<double>(n * (n - 1) / 2));
  }

  static void collectives(const levin::TorchDist& dist) {
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

  // Handles that outlive the run.
  void keep(const levin::TorchDist& dist) {
    kept_group.emplace(dist.new_group({0}));
    kept.emplace(dist.all_reduce_async(at::ones({2})));
    if (dist.world_size() > 1 && dist.rank() == 0) dist.irecv(at::ones({2}), 1);
    if (dist.world_size() > 1 && dist.rank() == 1) dist.isend(at::ones({2}), 0, 3);
  }
};

}  // namespace

LEVIN_PLUGIN("levin.test.peers", "1.0.0", "Apache-2.0", levin::callback<Peers>("peers", "Uses the other ranks"))
