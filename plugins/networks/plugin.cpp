#include <map>
#include <vector>

#include "table.hpp"

namespace networks {
namespace {

// The row of the component that is being described or created.
const Row*& current() {
  static thread_local const Row* row = nullptr;
  return row;
}

// One class for all networks, because the SDK's templates take long to compile. What differs is in the row.
class Model : public levin::NetworkTask<Network> {
 public:
  using NetworkTask::NetworkTask;
  static std::pair<const levin_option*, uint32_t> option_table() {
    static std::map<const Row*, std::vector<levin_option>> tables;
    std::vector<levin_option>& table = tables[current()];
    if (table.empty()) {
      table = options_of_tasks();
      table.insert(table.end(), current()->options, current()->options + current()->n_options);
    }
    return {table.data(), static_cast<uint32_t>(table.size())};
  }
};

decltype(levin_component::create) create_model = nullptr;

template <const Row& row>
levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** table) noexcept {
  current() = &row;
  return create_model(host, in, self, table);
}

template <const Row& row>
levin_component component() {
  current() = &row;
  levin_component c = levin::model<Model>(row.id, row.summary);
  create_model = std::exchange(c.create, &create<row>);
  return c;
}

}  // namespace

std::shared_ptr<Network> Network::made(const levin::Args& args, const levin::DataInfo& data) {
  return current()->make(args, data);
}

}  // namespace networks

#define LEVIN_NETWORK_COMPONENT(name) networks::component<networks::name>(),
LEVIN_PLUGIN("levin.networks", "0.1.0", "Apache-2.0", LEVIN_NETWORKS(LEVIN_NETWORK_COMPONENT) networks::vae(),
             networks::dcgan())
