#include "core/distributed/processes.hpp"

#include <unistd.h>

#include <numeric>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/distributed/own_address.hpp"

namespace levin::core {
namespace {

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

Processes::Processes(World world, const MeetingOptions& options, const std::function<void()>& while_waiting)
    : world_(std::move(world)) {
  if (world_.several()) meet(options, while_waiting);
}

// Where the first process takes a free port, the launcher tells the others which one.
MeetingPlace Processes::find_place(const MeetingOptions& options) {
  MeetingPlace place = meeting_place(world_, environment_variables(), options.init_method);
  if (!place.file.empty() || place.port != 0 || world_.is_first()) return place;
  const auto told = launcher_.hear("store", options.meeting_timeout);
  const std::vector<std::string> words = split(told.value_or(""), ' ');
  if (words.size() != 2)
    throw Error(ErrorKind::processes, "the launcher did not say where the processes of the run meet");
  place.address = words[0];
  place.port = std::atoi(words[1].c_str());
  return place;
}

void Processes::meet(const MeetingOptions& options, const std::function<void()>& while_waiting) {
  const bool one_machine = world_.nodes == 1;
  MeetingPlace place = find_place(options);
  if (!one_machine || !options.interface.empty())
    address_ = own_address(place.file.empty() ? place.address : host_name(), options.interface);
  const bool serve = world_.is_first() && !place.served;
  store_ = open_store(place, serve, address_, options.meeting_timeout);
  if (serve && place.file.empty()) launcher_.say("store", address_ + " " + std::to_string(store_->port()));
  const std::string me = "here/" + std::to_string(world_.rank);
  store_->set(me, host_name() + " " + std::to_string(::getpid()));
  for (int rank = 0; rank < world_.size; ++rank) try {
      store_->get("here/" + std::to_string(rank), options.meeting_timeout, while_waiting);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::processes) throw;
      throw Error(ErrorKind::processes, "rank " + std::to_string(rank) + " of " + std::to_string(world_.size) +
                                            " did not come (" + world_.launcher +
                                            " said that there are so many processes): " + e.what());
    }
  ProcessGroupOptions group;
  group.address = address_;
  group.timeout = options.timeout;
  group.while_waiting = while_waiting;
  std::vector<int> ranks(static_cast<size_t>(world_.size));
  std::iota(ranks.begin(), ranks.end(), 0);
  group_ = std::make_unique<ProcessGroup>(*store_, "all", std::move(ranks), world_.rank, std::move(group));
}

std::string Processes::of_first(const std::string& mine) { return group_->all_gather_bytes(mine).front(); }

void Processes::check_same(const std::string& what, const std::string& mine,
                           const std::function<std::string(const std::string&, const std::string&)>& difference) {
  if (!world_.several()) return;
  const std::vector<std::string> all = group_->all_gather_bytes(mine);
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw Error(ErrorKind::usage, "the processes of the run do not have the same " + what + ": rank " +
                                        std::to_string(rank) +
                                        " differs from rank 0: " + difference(all[0], all[rank]));
}

}  // namespace levin::core
