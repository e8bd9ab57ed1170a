// A build without NATS: one machine, and the engine of worker processes.
#include "core/base/error.hpp"
#include "tasks/nats/cluster.hpp"

namespace levin::core::tasks {
namespace {

[[noreturn]] void say_how() {
  throw Error(ErrorCode::program_missing,
              "host tasks was built without NATS: apt-get install libnats-dev nats-server, and build it again");
}

}  // namespace

void require_nats() { say_how(); }
std::unique_ptr<Engine> make_nats_engine(const JobSettings&, const JobFiles&, const WorkerPlan&, const std::string&,
                                         const std::vector<std::string>&) {
  say_how();
}

}  // namespace levin::core::tasks
