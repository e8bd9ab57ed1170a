// levin::Dist: collectives among the processes of a run, and messages between two of them, named as in Lightning and
// torch.distributed. All ranks of a group must make the same calls in the same order, with tensors of the same shape
// and type. Tensors are changed in place. Every call throws Error if the host refuses it.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// A process group: some ranks of the run. Group() = all ranks. Not valid after the run.
class Group {
 public:
  Group() = default;
  Group(const levin_dist* table, levin_group* handed_over, int32_t rank, std::vector<uint32_t> ranks)
      : table_(table), raw_(handed_over), rank_(rank), ranks_(std::move(ranks)) {}
  Group(Group&& other) noexcept { *this = std::move(other); }
  Group& operator=(Group&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(raw_, other.raw_);
    std::swap(rank_, other.rank_);
    std::swap(ranks_, other.ranks_);
    return *this;
  }
  ~Group() {
    if (raw_) table_->group_release(raw_);
  }

  bool is_member() const { return !raw_ || rank_ >= 0; }         // only members may make the group's collectives
  int32_t rank() const { return rank_; }                         // of this process in the group; -1 = not in it
  const std::vector<uint32_t>& ranks() const { return ranks_; }  // ranks of the run; empty for Group()
  levin_group* raw() const { return raw_; }                      // nullptr = all ranks

 private:
  const levin_dist* table_ = nullptr;
  levin_group* raw_ = nullptr;
  int32_t rank_ = -1;
  std::vector<uint32_t> ranks_;
};

// A running collective. Until wait() has returned, inputs must not be changed and outputs are undefined. The object may
// be destroyed at any time; without wait() a failure is not reported.
class Work {
 public:
  Work(const Run& run, levin_work* handed_over, TensorList out)
      : table_(&run.dist()), run_(run.raw()), raw_(handed_over), out_(std::move(out)) {}
  Work(Work&& other) noexcept
      : table_(other.table_), run_(other.run_), raw_(std::exchange(other.raw_, nullptr)), out_(std::move(other.out_)) {}
  Work& operator=(Work&&) = delete;
  ~Work() {
    if (raw_) table_->work_release(raw_);
  }

  void wait() const { detail::check(table_->wait(run_, raw_), "wait"); }
  bool done() const {
    int32_t done = 0;
    detail::check(table_->done(run_, raw_, &done), "done");
    return done != 0;
  }
  // Returns the tensors of the ranks for all_gather and gather; empty for other collectives.
  const TensorList& tensors() const { return out_; }

 private:
  const levin_dist* table_;
  levin_run* run_;
  levin_work* raw_;
  TensorList out_;
};

class Dist {
 public:
  explicit Dist(const Run& run) : run_(run), table_(&run.dist()) {}

  uint32_t rank() const { return table_->rank(run_.raw()); }
  uint32_t world_size() const { return table_->world_size(run_.raw()); }
  uint32_t local_rank() const { return table_->local_rank(run_.raw()); }  // among the processes on this machine
  uint32_t local_world_size() const { return table_->local_world_size(run_.raw()); }
  uint32_t node_rank() const { return table_->node_rank(run_.raw()); }  // index of this machine
  uint32_t num_nodes() const { return table_->num_nodes(run_.raw()); }

  // Returns a group of these ranks. All ranks of the run must call it, also ranks outside the group.
  Group new_group(const std::vector<uint32_t>& ranks) const {
    levin_group* raw = nullptr;
    detail::check(table_->new_group(run_.raw(), ranks.data(), static_cast<uint32_t>(ranks.size()), &raw), "new_group");
    int32_t rank = -1;
    table_->group(run_.raw(), raw, &rank, nullptr, nullptr);
    return {table_, raw, rank, ranks};
  }

  // ---- reductions; reduce: LEVIN_REDUCE_SUM, _MEAN, _MIN or _MAX
  void all_reduce(levin_tensor* tensor, uint32_t reduce = LEVIN_REDUCE_SUM, const Group& group = {}) const {
    call("all_reduce", table_->all_reduce, of(group, reduce), tensor);
  }
  Work all_reduce_async(levin_tensor* tensor, uint32_t reduce = LEVIN_REDUCE_SUM, const Group& group = {}) const {
    return start("all_reduce", table_->all_reduce, of(group, reduce), tensor);
  }
  // The result is on the root; on other ranks the tensor is undefined afterwards. root: a rank of the run.
  void reduce(levin_tensor* tensor, uint32_t root = 0, uint32_t reduce = LEVIN_REDUCE_SUM,
              const Group& group = {}) const {
    call("reduce", table_->reduce, of(group, reduce, root), tensor);
  }
  Work reduce_async(levin_tensor* tensor, uint32_t root = 0, uint32_t reduce = LEVIN_REDUCE_SUM,
                    const Group& group = {}) const {
    return start("reduce", table_->reduce, of(group, reduce, root), tensor);
  }
  // parts: one for each rank of the group, with the shape and type of out. Writes the reduction of the parts for this
  // rank into out.
  void reduce_scatter(levin_tensor* out, const std::vector<levin_tensor*>& parts, uint32_t reduce = LEVIN_REDUCE_SUM,
                      const Group& group = {}) const {
    check_parts("reduce_scatter", parts, group);
    call("reduce_scatter", table_->reduce_scatter, of(group, reduce), parts.data(), out);
  }
  Work reduce_scatter_async(levin_tensor* out, const std::vector<levin_tensor*>& parts,
                            uint32_t reduce = LEVIN_REDUCE_SUM, const Group& group = {}) const {
    check_parts("reduce_scatter", parts, group);
    return start("reduce_scatter", table_->reduce_scatter, of(group, reduce), parts.data(), out);
  }

  // ---- from the root to all ranks
  void broadcast(levin_tensor* tensor, uint32_t root = 0, const Group& group = {}) const {
    call("broadcast", table_->broadcast, of(group, 0, root), tensor);
  }
  Work broadcast_async(levin_tensor* tensor, uint32_t root = 0, const Group& group = {}) const {
    return start("broadcast", table_->broadcast, of(group, 0, root), tensor);
  }
  // parts: on the root one for each rank of the group; on other ranks it may be empty.
  void scatter(levin_tensor* out, const std::vector<levin_tensor*>& parts, uint32_t root = 0,
               const Group& group = {}) const {
    if (root == rank()) check_parts("scatter", parts, group);
    call("scatter", table_->scatter, of(group, 0, root), parts.data(), out);
  }
  Work scatter_async(levin_tensor* out, const std::vector<levin_tensor*>& parts, uint32_t root = 0,
                     const Group& group = {}) const {
    if (root == rank()) check_parts("scatter", parts, group);
    return start("scatter", table_->scatter, of(group, 0, root), parts.data(), out);
  }

  // ---- the tensors of all ranks
  // sync_grads: gradients flow back: the gradient of a rank's tensor is the sum of its gradients on all ranks. All
  // ranks must then make the backward pass.
  TensorList all_gather(levin_tensor* tensor, const Group& group = {}, bool sync_grads = false) const {
    levin_collective how = of(group);
    how.flags = sync_grads ? LEVIN_SYNC_GRADS : 0u;
    std::vector<levin_tensor*> out(size(group));
    call("all_gather", table_->all_gather, how, tensor, out.data());
    return {run_.host(), std::move(out)};
  }
  Work all_gather_async(levin_tensor* tensor, const Group& group = {}) const {
    return gathering("all_gather", table_->all_gather, of(group), tensor, size(group));
  }
  // Returns the tensors on the root, and an empty list on other ranks.
  TensorList gather(levin_tensor* tensor, uint32_t root = 0, const Group& group = {}) const {
    std::vector<levin_tensor*> out(root == rank() ? size(group) : 0);
    call("gather", table_->gather, of(group, 0, root), tensor, out.data());
    return {run_.host(), std::move(out)};
  }
  Work gather_async(levin_tensor* tensor, uint32_t root = 0, const Group& group = {}) const {
    return gathering("gather", table_->gather, of(group, 0, root), tensor, root == rank() ? size(group) : 0);
  }
  // The length of bytes may differ between ranks.
  std::vector<std::string> all_gather_bytes(const std::string& bytes, const Group& group = {}) const {
    std::vector<std::string> out;
    const levin_collective how = of(group);
    const auto each = [](void* to, uint32_t, const void* data, size_t n) {
      static_cast<std::vector<std::string>*>(to)->emplace_back(static_cast<const char*>(data), n);
    };
    detail::check(table_->all_gather_bytes(run_.raw(), &how, bytes.data(), bytes.size(), each, &out),
                  "all_gather_bytes");
    return out;
  }

  void barrier(const Group& group = {}) const { call("barrier", table_->barrier, of(group)); }

  // ---- between two ranks; only these two make the call. recv takes a tensor with the shape and type of the sent one
  void send(levin_tensor* tensor, uint32_t to, int32_t tag = 0, const Group& group = {}) const {
    call("send", table_->send, of(group, 0, to, tag), tensor);
  }
  Work isend(levin_tensor* tensor, uint32_t to, int32_t tag = 0, const Group& group = {}) const {
    return start("isend", table_->send, of(group, 0, to, tag), tensor);
  }
  void recv(levin_tensor* tensor, uint32_t from, int32_t tag = 0, const Group& group = {}) const {
    call("recv", table_->recv, of(group, 0, from, tag), tensor);
  }
  Work irecv(levin_tensor* tensor, uint32_t from, int32_t tag = 0, const Group& group = {}) const {
    return start("irecv", table_->recv, of(group, 0, from, tag), tensor);
  }

 private:
  static levin_collective of(const Group& group, uint32_t reduce = 0, uint32_t root = 0, int32_t tag = 0) {
    return {sizeof(levin_collective), 0, group.raw(), reduce, root, tag, 0, nullptr};
  }
  size_t size(const Group& group) const { return group.raw() ? group.ranks().size() : world_size(); }
  void check_parts(const char* name, const std::vector<levin_tensor*>& parts, const Group& group) const {
    if (parts.size() != size(group))
      throw Error(LEVIN_E_INVALID, std::string(name) + " needs a part for each of " + std::to_string(size(group)) +
                                       " ranks, not " + std::to_string(parts.size()));
  }
  template <class Function, class... Arguments>
  void call(const char* name, Function function, const levin_collective& how, Arguments... arguments) const {
    detail::check(function(run_.raw(), &how, arguments...), name);
  }
  template <class Function, class... Arguments>
  Work start(const char* name, Function function, levin_collective how, Arguments... arguments) const {
    levin_work* work = nullptr;
    how.work = &work;
    call(name, function, how, arguments...);
    return {run_, work, TensorList(run_.host(), {})};
  }
  template <class Function>
  Work gathering(const char* name, Function function, levin_collective how, levin_tensor* tensor, size_t n) const {
    std::vector<levin_tensor*> out(n);
    levin_work* work = nullptr;
    how.work = &work;
    call(name, function, how, tensor, out.data());
    return {run_, work, TensorList(run_.host(), std::move(out))};
  }

  Run run_;
  const levin_dist* table_;
};

}  // namespace levin
#pragma GCC visibility pop
