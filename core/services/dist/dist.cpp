// "levin.dist/1": the processes of the run, groups of them, and collectives.
#include <ATen/core/grad_mode.h>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/services/dist/call.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

DistParts& dist_parts(levin_run* run) { return parts_of(run, &levin_run::dist); }

// Works on any thread. Without a run, or after its end, the process is alone.
World world_of_run(const levin_run* run) { return run && run->dist ? run->dist->world() : World(); }

std::string with_reduction(const levin_collective& c) { return ", reduction " + std::to_string(c.reduce); }
std::string with_root(const levin_collective& c) { return ", root " + std::to_string(c.root); }

void all_reduce(DistParts& parts, const levin_collective* given, levin_tensor* handle) {
  const DistCall call("all_reduce", parts, given);
  call.refuse_flags();
  const at::Tensor tensor = call.tensor(handle);
  const ReduceOp op = call.reduction(tensor);
  call.compare(tensor, with_reduction(call.given()));
  call.end(call.processes().all_reduce_async(tensor, op));
}

void broadcast(DistParts& parts, const levin_collective* given, levin_tensor* handle) {
  const DistCall call("broadcast", parts, given);
  call.refuse_flags();
  const at::Tensor tensor = call.tensor(handle);
  const int root = call.root();
  call.compare(tensor, with_root(call.given()));
  call.end(call.processes().broadcast_async(tensor, root));
}

void barrier(DistParts& parts, const levin_collective* given) {
  const DistCall call("barrier", parts, given);
  call.refuse_flags();
  call.compare({}, "");
  call.end(call.processes().barrier_async());
}

void reduce(DistParts& parts, const levin_collective* given, levin_tensor* handle) {
  const DistCall call("reduce", parts, given);
  call.refuse_flags();
  const at::Tensor tensor = call.tensor(handle);
  const ReduceOp op = call.reduction(tensor);
  const int root = call.root();
  call.compare(tensor, with_reduction(call.given()) + with_root(call.given()));
  call.end(call.processes().reduce_async(tensor, root, op));
}

void hand_over(std::vector<at::Tensor>& tensors, levin_tensor** out) {
  for (size_t i = 0; i < tensors.size(); ++i) out[i] = release(std::move(tensors[i]));
}

void all_gather(DistParts& parts, const levin_collective* given, levin_tensor* in, levin_tensor** out) {
  const DistCall call("all_gather", parts, given);
  const at::Tensor tensor = call.tensor(in);
  const bool grads = (call.given().flags & LEVIN_SYNC_GRADS) != 0;
  if ((call.given().flags & ~LEVIN_SYNC_GRADS) != 0)
    throw Error(ErrorCode::call_invalid, "all_gather: its only flag is LEVIN_SYNC_GRADS");
  if (!out) throw Error(ErrorCode::call_invalid, "all_gather: it needs room for the tensors of all ranks; out is NULL");
  if (grads && !call.waits())
    throw Error(ErrorCode::call_invalid, "all_gather: with LEVIN_SYNC_GRADS it waits; leave work NULL");
  const bool flows = grads && tensor.requires_grad() && at::GradMode::is_enabled();
  call.compare(tensor, flows ? ", with gradients" : "");
  std::vector<at::Tensor> all;
  if (flows)
    all = all_gather_with_grads(tensor, call.group());
  else
    call.end(call.processes().all_gather_async(tensor, all));
  hand_over(all, out);
}

void gather(DistParts& parts, const levin_collective* given, levin_tensor* in, levin_tensor** out) {
  const DistCall call("gather", parts, given);
  call.refuse_flags();
  const at::Tensor tensor = call.tensor(in);
  const bool is_root = call.is_root();
  if (is_root && !out) throw Error(ErrorCode::call_invalid, "gather: the root needs room for the tensors of all ranks");
  call.compare(tensor, with_root(call.given()));
  std::vector<at::Tensor> all;
  call.end(call.processes().all_gather_async(tensor, all));  // Gloo's gather is not faster
  if (is_root) hand_over(all, out);
}

void scatter(DistParts& parts, const levin_collective* given, levin_tensor* const* handles, levin_tensor* handle) {
  const DistCall call("scatter", parts, given);
  call.refuse_flags();
  const at::Tensor out = call.tensor(handle);
  const int root = call.root();
  std::vector<at::Tensor> all;
  if (call.is_root()) all = call.tensors(handles, out);
  call.compare(out, with_root(call.given()));
  call.end(call.processes().scatter_async(out, all, root));
}

void reduce_scatter(DistParts& parts, const levin_collective* given, levin_tensor* const* handles,
                    levin_tensor* handle) {
  const DistCall call("reduce_scatter", parts, given);
  call.refuse_flags();
  const at::Tensor out = call.tensor(handle);
  const ReduceOp op = call.reduction(out);
  const std::vector<at::Tensor> all = call.tensors(handles, out);
  call.compare(out, with_reduction(call.given()));
  call.end(call.processes().reduce_scatter_async(out, all, op));
}

void send_tensor(DistParts& parts, const levin_collective* given, levin_tensor* handle) {
  const DistCall call("send", parts, given);
  call.refuse_flags();
  const at::Tensor tensor = call.tensor(handle);
  const int to = call.other();
  call.end(call.processes().send(tensor, to, call.tag()));
}

void receive_tensor(DistParts& parts, const levin_collective* given, levin_tensor* handle) {
  const DistCall call("recv", parts, given);
  call.refuse_flags();
  const at::Tensor tensor = call.tensor(handle);
  const int from = call.other();
  call.end(call.processes().receive(tensor, from, call.tag()));
}

using Each = void (*)(void* ctx, uint32_t rank, const void* data, size_t n);

void all_gather_bytes(DistParts& parts, const levin_collective* given, const std::string& bytes, Each each, void* ctx) {
  const DistCall call("all_gather_bytes", parts, given);
  call.refuse_flags();
  call.compare({}, "");
  const std::vector<std::string> all = call.processes().all_gather_bytes(bytes);
  for (size_t i = 0; i < all.size(); ++i) each(ctx, call.group()->ranks[i], all[i].data(), all[i].size());
}

void describe_group(DistParts& parts, const levin_group* handle, int32_t* rank, const uint32_t** ranks, uint32_t* n) {
  const PluginGroup& group = handle ? *handle->group : *parts.all();
  if (rank) *rank = group.rank;
  if (ranks) *ranks = group.ranks.data();
  if (n) *n = static_cast<uint32_t>(group.ranks.size());
}

void wait(levin_work* work) {
  if (!work) throw Error(ErrorCode::call_invalid, "wait: there is no work");
  if (work->failure) std::rethrow_exception(work->failure);
  if (!work->group->processes) throw Error(ErrorCode::call_invalid, "wait: the work is of a run that has ended");
  try {
    work->work->wait();
  } catch (...) {
    work->failure = std::current_exception();
    throw;
  }
}

void add_world(levin_dist& t) {
  t.rank = [](levin_run* run) { return static_cast<uint32_t>(world_of_run(run).rank); };
  t.world_size = [](levin_run* run) { return static_cast<uint32_t>(world_of_run(run).size); };
  t.local_rank = [](levin_run* run) { return static_cast<uint32_t>(world_of_run(run).local_rank); };
  t.local_world_size = [](levin_run* run) { return static_cast<uint32_t>(world_of_run(run).local_size); };
  t.node_rank = [](levin_run* run) { return static_cast<uint32_t>(world_of_run(run).node_rank); };
  t.num_nodes = [](levin_run* run) { return static_cast<uint32_t>(world_of_run(run).nodes); };
}

void add_groups(levin_dist& t) {
  t.new_group = [](levin_run* run, const uint32_t* ranks, uint32_t n, levin_group** out) {
    return serve_in_turn([&] {
      DistParts& parts = dist_parts(run);
      if (!out) throw Error(ErrorCode::call_invalid, "new_group: out is NULL");
      const std::vector<uint32_t> all = ranks ? std::vector<uint32_t>(ranks, ranks + n) : std::vector<uint32_t>();
      *out = new levin_group{parts.make_group(all)};
    });
  };
  t.group = [](levin_run* run, levin_group* group, int32_t* rank, const uint32_t** ranks, uint32_t* n) {
    return serve_in_turn([&] { describe_group(dist_parts(run), group, rank, ranks, n); });
  };
  t.group_release = [](levin_group* group) { delete group; };
}

template <auto collective, class... Tensors>
levin_status served(levin_run* run, const levin_collective* given, Tensors... tensors) {
  return serve_in_turn([&] { collective(dist_parts(run), given, tensors...); });
}

void add_collectives(levin_dist& t) {
  t.all_reduce = &served<all_reduce, levin_tensor*>;
  t.broadcast = &served<broadcast, levin_tensor*>;
  t.barrier = &served<barrier>;
  t.reduce = &served<reduce, levin_tensor*>;
  t.all_gather = &served<all_gather, levin_tensor*, levin_tensor**>;
  t.gather = &served<gather, levin_tensor*, levin_tensor**>;
  t.scatter = &served<scatter, levin_tensor* const*, levin_tensor*>;
  t.reduce_scatter = &served<reduce_scatter, levin_tensor* const*, levin_tensor*>;
  t.send = &served<send_tensor, levin_tensor*>;
  t.recv = &served<receive_tensor, levin_tensor*>;
  t.all_gather_bytes = [](levin_run* run, const levin_collective* given, const void* data, size_t n, Each each,
                          void* ctx) {
    return serve_in_turn([&] {
      if (!each) throw Error(ErrorCode::call_invalid, "all_gather_bytes: each is NULL");
      if (!data && n > 0) throw Error(ErrorCode::call_invalid, "all_gather_bytes: data is NULL, and n is not 0");
      const std::string bytes = n > 0 ? std::string(static_cast<const char*>(data), n) : std::string();
      all_gather_bytes(dist_parts(run), given, bytes, each, ctx);
    });
  };
}

void add_work(levin_dist& t) {
  t.wait = [](levin_run* run, levin_work* work) { return serve_in_turn([&] { dist_parts(run), wait(work); }); };
  t.done = [](levin_run* run, levin_work* work, int32_t* done) {
    return serve_in_turn([&] {
      dist_parts(run);
      if (!done) throw Error(ErrorCode::call_invalid, "done: done is NULL");
      *done = !work || work->failure || work->work->done();
    });
  };
  t.work_release = [](levin_work* work) { delete work; };
}

}  // namespace

const levin_dist* dist_service() {
  static const levin_dist table = [] {
    levin_dist t{};
    t.size = sizeof t;
    add_world(t);
    add_groups(t);
    add_collectives(t);
    add_work(t);
    return t;
  }();
  return &table;
}

}  // namespace levin::core
