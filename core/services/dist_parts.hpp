// What "levin.dist/1" acts on: groups of processes for the collectives of plugins. They are others than the host's, so
// that a plugin whose processes do not do the same disturbs no gradient and no save.
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/distributed/processes.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

struct PluginGroup {
  std::vector<uint32_t> ranks;              // of the run
  int32_t rank = -1;                        // of this process in the group; -1: it is not in it
  std::unique_ptr<ProcessGroup> processes;  // nullptr: this process is not in the group, or the run has ended
  std::set<std::string> compared;           // calls that all ranks were seen to make alike

  std::string text() const;  // "the ranks 0 and 2", for people
  // The rank in the group of a rank of the run; -1: it is not in the group.
  int32_t find(uint32_t rank_of_run) const;
};

class DistParts {
 public:
  DistParts();  // of this process alone
  // Collective. processes must outlive this object.
  explicit DistParts(Processes& processes);
  ~DistParts();  // handles of groups that plugins still have are of no use from now on
  DistParts(const DistParts&) = delete;
  DistParts& operator=(const DistParts&) = delete;

  const World& world() const { return world_; }
  const std::shared_ptr<PluginGroup>& all() const { return all_; }
  // Whether all ranks compare their calls before each collective of a plugin.
  bool compares() const { return compares_; }
  // Collective for all ranks of the run. Throws Error{usage} for ranks that do not exist, come twice, or differ between
  // the ranks.
  std::shared_ptr<PluginGroup> make_group(std::vector<uint32_t> ranks);

 private:
  std::shared_ptr<PluginGroup> make(const std::string& name, std::vector<uint32_t> ranks);

  const World world_;
  Processes* processes_ = nullptr;
  // Plugins release theirs on any thread, and groups end on this one: here when the next one is made.
  std::vector<std::shared_ptr<PluginGroup>> groups_;
  std::shared_ptr<PluginGroup> all_;
  bool compares_ = false;
  int made_ = 0;
};

}  // namespace levin::core

// What the handles of plugins point to.
struct levin_group {
  std::shared_ptr<levin::core::PluginGroup> group;
};
struct levin_work {
  std::shared_ptr<levin::core::PluginGroup> group;
  std::unique_ptr<levin::core::Work> work;
  std::exception_ptr failure;  // of the first wait
};
