#include "core/services/dist/call.hpp"

#include <cstring>
#include <utility>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

constexpr size_t most_compared = 256;  // calls per group; later ones are not compared
constexpr int32_t highest_tag = (1 << 29) - 1;

std::string text_of(const at::Tensor& tensor) {
  std::string sizes;
  for (const int64_t size : tensor.sizes()) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  return dtype_text(dtype_of(tensor.scalar_type())) + "[" + sizes + "]";
}

levin_collective with_all_members(const char* name, const levin_collective* given) {
  levin_collective out{};
  if (!given) return out;
  if (!LEVIN_KNOWS(levin_collective, given, work))
    throw Error(ErrorCode::call_invalid, std::string(name) + ": the size of its levin_collective is " +
                                             std::to_string(given->size) + "; set it to sizeof(levin_collective)");
  std::memcpy(&out, given, sizeof out);
  return out;
}

}  // namespace

DistCall::DistCall(const char* name, DistParts& parts, const levin_collective* given)
    : name_(name), parts_(parts), given_(with_all_members(name, given)) {
  group_ = given_.group ? given_.group->group : parts.all();
  const World& world = parts.world();
  if (group_->rank < 0)
    refuse("this process has rank " + std::to_string(world.rank) + ", and the group has " + group_->text());
  if (!group_->processes) refuse("the group is one of a run that has ended");
}

void DistCall::refuse(const std::string& text) const {
  throw Error(ErrorCode::call_invalid, std::string(name_) + ": " + text);
}

int DistCall::member(uint32_t rank) const {
  const int32_t found = group_->find(rank);
  if (found >= 0) return found;
  const int n = parts_.world().size;
  if (rank >= static_cast<uint32_t>(n))
    refuse("there is no rank " + std::to_string(rank) + " in a run of " + std::to_string(n) +
           (n == 1 ? " process" : " processes"));
  refuse("rank " + std::to_string(rank) + " is not in the group, which has " + group_->text());
}

at::Tensor DistCall::tensor(levin_tensor* handle) const {
  const at::Tensor tensor = retain(handle);
  if (tensor.layout() != at::kStrided) refuse("the tensor is sparse; collectives take dense ones");
  if (at::isComplexType(tensor.scalar_type()) || at::isQIntType(tensor.scalar_type()))
    refuse(std::string("tensors of type ") + c10::toString(tensor.scalar_type()) + " are not supported");
  return tensor;
}

std::vector<at::Tensor> DistCall::tensors(levin_tensor* const* handles, const at::Tensor& like) const {
  if (!handles) refuse("it needs one tensor for each of " + group_->text());
  std::vector<at::Tensor> out;
  for (size_t i = 0; i < size(); ++i) {
    out.push_back(tensor(handles[i]));
    if (out.back().sizes() != like.sizes() || out.back().scalar_type() != like.scalar_type())
      refuse("part " + std::to_string(i) + " is " + text_of(out.back()) + ", and the tensor that takes one is " +
             text_of(like));
  }
  return out;
}

ReduceOp DistCall::reduction(const at::Tensor& tensor) const {
  switch (given_.reduce) {
    case LEVIN_REDUCE_SUM:
      return ReduceOp::sum;
    case LEVIN_REDUCE_MIN:
      return ReduceOp::min;
    case LEVIN_REDUCE_MAX:
      return ReduceOp::max;
    case LEVIN_REDUCE_MEAN:
      if (!tensor.is_floating_point())
        refuse("a mean needs a floating-point tensor, not " + text_of(tensor) + "; take the sum");
      return ReduceOp::mean;
    case LEVIN_REDUCE_CAT:
      refuse("LEVIN_REDUCE_CAT makes a tensor of another shape; all_gather gives the tensors of all ranks");
    default:
      refuse("there is no reduction " + std::to_string(given_.reduce) + "; LEVIN_REDUCE_* lists them");
  }
}

int DistCall::root() const { return member(given_.root); }

int DistCall::other() const {
  const int other = member(given_.root);
  if (!parts_.world().several()) refuse("there is no other rank, as the run has one process");
  if (other == group_->rank) refuse("rank " + std::to_string(given_.root) + " is this process itself");
  return other;
}

int DistCall::tag() const {
  if (given_.tag < 0 || given_.tag > highest_tag)
    refuse("a tag is a number from 0 to " + std::to_string(highest_tag) + ", not " + std::to_string(given_.tag));
  return given_.tag;
}

void DistCall::refuse_flags() const {
  if (given_.flags != 0) refuse("it takes no flags; LEVIN_SYNC_GRADS is one of all_gather");
}

// A call that does not wait is compared only if all calls are, because the other ranks may make it much later.
void DistCall::compare(const at::Tensor& tensor, const std::string& what) const {
  if (size() < 2 || !(parts_.compares() || waits())) return;
  const std::string mine = name_ + (tensor.defined() ? " of " + text_of(tensor) : std::string()) + what;
  std::set<std::string>& compared = group_->compared;
  if (!parts_.compares() && (compared.size() >= most_compared || compared.count(mine) > 0)) return;
  const CollectiveLabel label(name_);
  const std::vector<std::string> all = processes().all_gather_bytes(mine);
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i] != all[0])
      throw Error(ErrorCode::call_invalid, "the ranks make different calls: rank " + std::to_string(group_->ranks[i]) +
                                               " calls " + all[i] + ", and rank " + std::to_string(group_->ranks[0]) +
                                               " " + all[0]);
  compared.insert(mine);
}

void DistCall::end(std::unique_ptr<Work> work) const {
  if (waits()) return work->wait();
  *given_.work = new levin_work{group_, std::move(work), nullptr};
}

}  // namespace levin::core
