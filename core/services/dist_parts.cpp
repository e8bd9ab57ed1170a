#include "core/services/dist_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/abi/border_watch.hpp"
#include "core/base/error.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

std::string listed(const std::vector<uint32_t>& ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  return text;
}

void check_ranks(const std::vector<uint32_t>& ranks, const World& world) {
  if (ranks.empty()) throw Error(ErrorCode::call_invalid, "new_group: a group has at least one rank");
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] >= static_cast<uint32_t>(world.size))
      throw Error(ErrorCode::call_invalid, "new_group: there is no rank " + std::to_string(ranks[i]) + " in a run of " +
                                               std::to_string(world.size) +
                                               (world.several() ? " processes" : " process"));
    if (std::count(ranks.begin(), ranks.end(), ranks[i]) > 1)
      throw Error(ErrorCode::call_invalid, "new_group: rank " + std::to_string(ranks[i]) + " comes twice");
  }
}

}  // namespace

std::string PluginGroup::text() const { return (ranks.size() == 1 ? "the rank " : "the ranks ") + listed(ranks); }

int32_t PluginGroup::find(uint32_t rank_of_run) const {
  const auto found = std::find(ranks.begin(), ranks.end(), rank_of_run);
  return found == ranks.end() ? -1 : static_cast<int32_t>(found - ranks.begin());
}

DistParts::DistParts() : all_(make("", {0})) {}

// All ranks compare if one of them is asked to. Otherwise that rank would wait for the others.
DistParts::DistParts(Processes& processes) : world_(processes.world()), processes_(&processes) {
  std::vector<uint32_t> every(static_cast<size_t>(world().size));
  std::iota(every.begin(), every.end(), 0u);
  all_ = make("plugins", std::move(every));
  if (!world().several()) return;
  const std::vector<std::string> asked = all_->processes->all_gather_bytes(border_watch() ? "compare" : "");
  compares_ = std::count(asked.begin(), asked.end(), "compare") > 0;
}

DistParts::~DistParts() {
  for (const auto& group : groups_) group->processes.reset();
}

std::shared_ptr<PluginGroup> DistParts::make_group(std::vector<uint32_t> ranks) {
  check_ranks(ranks, world());
  const CollectiveLabel label("new_group");
  const std::vector<std::string> all = all_->processes->all_gather_bytes(listed(ranks));
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(ErrorCode::call_invalid, "new_group: all ranks of the run have to name the same ranks; rank " +
                                               std::to_string(rank) + " names " + all[rank] + ", and rank 0 " + all[0]);
  return make("plugins " + std::to_string(++made_), std::move(ranks));
}

std::shared_ptr<PluginGroup> DistParts::make(const std::string& name, std::vector<uint32_t> ranks) {
  auto group = std::make_shared<PluginGroup>();
  group->processes = processes_ ? processes_->new_group(name, std::vector<int>(ranks.begin(), ranks.end()))
                                : std::make_unique<ProcessGroup>();
  group->ranks = std::move(ranks);
  group->rank = group->find(static_cast<uint32_t>(world().rank));
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), [](const auto& one) { return one.use_count() == 1; }),
                groups_.end());
  groups_.push_back(group);
  return group;
}

}  // namespace levin::core
