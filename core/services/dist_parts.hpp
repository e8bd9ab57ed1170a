// The process groups that "levin.dist/1" uses for the collectives of plugins. They are separate from the host's groups,
// so that a plugin with different calls on its ranks disturbs neither gradients nor checkpoints.
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
  std::vector<uint32_t> ranks;              // ranks of the run
  int32_t rank = -1;                        // of this process in the group; -1 = not in the group
  std::unique_ptr<ProcessGroup> processes;  // nullptr = this process is not in the group, or the run has ended
  std::set<std::string> compared;           // calls that were the same on all ranks

  std::string text() const;  // "the ranks 0 and 2", for messages
  // Returns the rank in the group of a rank of the run, or -1 if it is not in the group.
  int32_t find(uint32_t rank_of_run) const;
};

class DistParts {
 public:
  DistParts();  // for a single process
  // Collective. processes must outlive this object.
  explicit DistParts(Processes& processes);
  ~DistParts();  // invalidates the group handles that plugins still have
  DistParts(const DistParts&) = delete;
  DistParts& operator=(const DistParts&) = delete;

  const World& world() const { return world_; }
  const std::shared_ptr<PluginGroup>& all() const { return all_; }
  // Returns true if all ranks compare their calls before each collective of a plugin.
  bool compares() const { return compares_; }
  // Collective for all ranks of the run. Throws Error{usage} if ranks do not exist, are given twice, or differ between
  // the processes.
  std::shared_ptr<PluginGroup> make_group(std::vector<uint32_t> ranks);

 private:
  std::shared_ptr<PluginGroup> make(const std::string& name, std::vector<uint32_t> ranks);

  const World world_;
  Processes* processes_ = nullptr;
  // Plugins release their handles on any thread, but groups are destroyed on this one, when the next group is made.
  std::vector<std::shared_ptr<PluginGroup>> groups_;
  std::shared_ptr<PluginGroup> all_;
  bool compares_ = false;
  int made_ = 0;
};

}  // namespace levin::core

// The objects that plugins hold handles to.
struct levin_group {
  std::shared_ptr<levin::core::PluginGroup> group;
};
struct levin_work {
  std::shared_ptr<levin::core::PluginGroup> group;
  std::unique_ptr<levin::core::Work> work;
  std::exception_ptr failure;  // from the first wait
};
