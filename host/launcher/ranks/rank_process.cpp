#include "host/launcher/ranks/rank_process.hpp"

#include <utility>

#include "core/base/stop_signals.hpp"
#include "host/launcher/ranks/rank_environment.hpp"
#include "host/launcher/ranks/spawn.hpp"

namespace levin::core {
namespace {

std::vector<std::string> texts(const EnvironmentVariables& variables) {
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

}  // namespace

RankProcess start_rank(const NodeTask& task, int local_rank) {
  const Descriptor config = file_in_memory(task.run_config);
  SocketPair control;
  RankProcess rank;
  Spawn what;
  what.command = task.engine;
  what.command.insert(what.command.end(), {"--run-config-fd", std::to_string(config.get())});
  what.environment = texts(rank_environment(environment_variables(), task, local_rank, control.theirs.get()));
  what.blocked = stop_signal_set();
  what.kept = {config.get(), control.theirs.get()};
  if (task.shows_first_rank && task.first_rank + local_rank == 0) {
    rank.pid = spawn(what);
  } else {
    Pipe out, err;
    what.out = out.write_end.get();
    what.err = err.write_end.get();
    rank.pid = spawn(what);
    rank.out = std::move(out.read_end);
    rank.err = std::move(err.read_end);
    set_nonblocking(rank.out.get());
    set_nonblocking(rank.err.get());
  }
  rank.control = std::move(control.ours);
  set_nonblocking(rank.control.get());
  return rank;
}

}  // namespace levin::core
