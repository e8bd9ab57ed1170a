// "levin.dist/1" of the fake host. The test sets the world size, this rank and the values of the other ranks.
// Reductions, broadcasts and recv leave the tensor unchanged. Every operation completes immediately.
#pragma once
#include <algorithm>
#include <cstring>

#include "levin/testing/services.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing::detail {

struct FakeGroup {
  std::vector<uint32_t> ranks;
  int32_t rank = -1;
};
inline FakeGroup group_of(levin_run* run, levin_group* group) {
  if (group) return *reinterpret_cast<FakeGroup*>(group);
  FakeGroup all;
  for (uint32_t rank = 0; rank < World::of(run).world_size; ++rank) all.ranks.push_back(rank);
  all.rank = static_cast<int32_t>(World::of(run).rank);
  return all;
}
inline FakeGroup group_of(levin_run* run, const levin_collective* how) {
  return group_of(run, how ? how->group : nullptr);
}

// Records the call. Asynchronous calls get a work handle that is already done.
inline levin_status collective(levin_run* run, const levin_collective* how, const char* what, uint32_t index) {
  if (how && how->work) *how->work = reinterpret_cast<levin_work*>(run);
  return call(run, what, index);
}
inline levin_status rooted(levin_run* run, const levin_collective* how, const char* what) {
  return collective(run, how, what, how ? how->root : 0);
}

// Returns LEVIN_E_INVALID if the shapes or types differ.
inline levin_status copy_elements(World& world, levin_tensor* from, levin_tensor* to) {
  levin_view source{}, target{};
  world.tensor_host->tensor_view(world.tensor_host, from, &source);
  world.tensor_host->tensor_view(world.tensor_host, to, &target);
  if (source.ndim != target.ndim || source.dtype.code != target.dtype.code || source.dtype.bits != target.dtype.bits ||
      !std::equal(source.shape, source.shape + source.ndim, target.shape))
    return LEVIN_E_INVALID;
  const size_t item = source.dtype.bits / 8u;
  for (int64_t i = 0; i < element_count(source); ++i)
    std::memcpy(static_cast<char*>(target.data) + byte_of(target, i),
                static_cast<const char*>(source.data) + byte_of(source, i), item);
  return LEVIN_OK;
}

inline levin_status give_gathered(levin_run* run, const levin_collective* how, levin_tensor* in, levin_tensor** out) {
  World& world = World::of(run);
  const size_t n = group_of(run, how).ranks.size();
  if (world.gathered) {
    const std::vector<levin_tensor*> all = world.gathered(in);
    if (all.size() != n) return LEVIN_E_INVALID;
    std::copy(all.begin(), all.end(), out);
    return LEVIN_OK;
  }
  for (size_t i = 0; i < n; ++i) world.tensor_host->tensor_retain(world.tensor_host, out[i] = in);
  return LEVIN_OK;
}

inline levin_status all_gather(levin_run* run, const levin_collective* how, levin_tensor* in, levin_tensor** out) {
  collective(run, how, "all_gather", how ? how->flags : 0);
  return give_gathered(run, how, in, out);
}
inline levin_status gather(levin_run* run, const levin_collective* how, levin_tensor* in, levin_tensor** out) {
  rooted(run, how, "gather");
  return World::of(run).rank == (how ? how->root : 0) ? give_gathered(run, how, in, out) : LEVIN_OK;
}
inline levin_status take_part(levin_run* run, const levin_collective* how, levin_tensor* const* parts,
                              levin_tensor* out) {
  const int32_t rank = group_of(run, how).rank;
  return parts && rank >= 0 ? copy_elements(World::of(run), parts[rank], out) : LEVIN_OK;
}
inline levin_status all_gather_bytes(levin_run* run, const levin_collective* how, const void* data, size_t n,
                                     void (*each)(void*, uint32_t, const void*, size_t), void* ctx) {
  const World& world = World::of(run);
  const FakeGroup group = group_of(run, how);
  const std::string mine(static_cast<const char*>(data), n);
  std::vector<std::string> all(group.ranks.size(), mine);
  if (world.gathered_bytes) all = world.gathered_bytes(mine);
  if (all.size() != group.ranks.size()) return LEVIN_E_INVALID;
  for (size_t i = 0; i < all.size(); ++i) each(ctx, group.ranks[i], all[i].data(), all[i].size());
  return LEVIN_OK;
}

inline void add_collectives(levin_dist& t) {
  using How = const levin_collective*;
  t.all_reduce = [](levin_run* run, How how, levin_tensor*) {
    return collective(run, how, "all_reduce", how ? how->reduce : 0);
  };
  t.broadcast = [](levin_run* run, How how, levin_tensor*) { return rooted(run, how, "broadcast"); };
  t.barrier = [](levin_run* run, How how) -> levin_status {
    if (how && how->work) *how->work = reinterpret_cast<levin_work*>(run);
    World::of(run).calls.emplace_back("barrier");
    return LEVIN_OK;
  };
  t.reduce = [](levin_run* run, How how, levin_tensor*) { return rooted(run, how, "reduce"); };
  t.all_gather = &all_gather;
  t.gather = &gather;
  t.scatter = [](levin_run* run, How how, levin_tensor* const* parts, levin_tensor* out) {
    rooted(run, how, "scatter");
    return take_part(run, how, World::of(run).rank == (how ? how->root : 0) ? parts : nullptr, out);
  };
  t.reduce_scatter = [](levin_run* run, How how, levin_tensor* const* parts, levin_tensor* out) {
    collective(run, how, "reduce_scatter", how ? how->reduce : 0);
    return take_part(run, how, parts, out);
  };
  t.send = [](levin_run* run, How how, levin_tensor*) { return rooted(run, how, "send"); };
  t.recv = [](levin_run* run, How how, levin_tensor*) { return rooted(run, how, "recv"); };
  t.all_gather_bytes = &all_gather_bytes;
}

inline void add_groups(levin_dist& t) {
  t.new_group = [](levin_run* run, const uint32_t* ranks, uint32_t n, levin_group** out) -> levin_status {
    auto* group = new FakeGroup{{ranks, ranks + n}, -1};
    const auto me = std::find(group->ranks.begin(), group->ranks.end(), World::of(run).rank);
    if (me != group->ranks.end()) group->rank = static_cast<int32_t>(me - group->ranks.begin());
    *out = reinterpret_cast<levin_group*>(group);
    return LEVIN_OK;
  };
  t.group = [](levin_run* run, levin_group* handle, int32_t* rank, const uint32_t** ranks,
               uint32_t* n) -> levin_status {
    const FakeGroup group = group_of(run, handle);
    if (rank) *rank = group.rank;
    if (n) *n = static_cast<uint32_t>(group.ranks.size());
    if (ranks) *ranks = handle ? reinterpret_cast<FakeGroup*>(handle)->ranks.data() : nullptr;
    return LEVIN_OK;
  };
  t.group_release = [](levin_group* group) { delete reinterpret_cast<FakeGroup*>(group); };
}

inline const levin_dist& dist() {
  static const levin_dist table = [] {
    levin_dist t{};
    t.size = sizeof t;
    t.rank = [](levin_run* run) { return World::of(run).rank; };
    t.world_size = [](levin_run* run) { return World::of(run).world_size; };
    t.local_rank = t.rank;  // all ranks are on one machine
    t.local_world_size = t.world_size;
    t.node_rank = [](levin_run*) { return 0u; };
    t.num_nodes = [](levin_run*) { return 1u; };
    add_groups(t);
    add_collectives(t);
    t.wait = [](levin_run*, levin_work*) -> levin_status { return LEVIN_OK; };
    t.done = [](levin_run*, levin_work*, int32_t* done) -> levin_status { return *done = 1, LEVIN_OK; };
    t.work_release = [](levin_work*) {};
    return t;
  }();
  return table;
}

}  // namespace levin::testing::detail
#pragma GCC visibility pop
