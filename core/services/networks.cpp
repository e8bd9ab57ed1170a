// "levin.networks/1": trained networks from files.
#include "core/services/networks.hpp"

#include <ATen/core/grad_mode.h>

#include <utility>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/services/outputs.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

struct levin_network {
  std::unique_ptr<levin::core::TrainedNetwork> network;
};

namespace levin::core {
namespace {

NetworkReader network_reader = nullptr;

levin_network* open(levin_run* run, const char* file) {
  const NetworkParts& parts = parts_of(run, &levin_run::networks);
  if (!network_reader) throw Error(ErrorCode::call_invalid, "this program opens no trained networks beside its model");
  const at::Device device = device_of_instance(parts.device);
  const GeneratorScope generators(device);
  return new levin_network{network_reader({file, parts.trust, device, parts.warn})};
}

levin_status forward(levin_run* run, levin_network* network, levin_tensor* const* in, uint32_t n, levin_tensor** out,
                     uint32_t cap, uint32_t* n_out) {
  parts_of(run, &levin_run::networks);
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> inputs;
  for (uint32_t i = 0; i < n; ++i) inputs.push_back(retain(in[i]));
  return give_outputs(network->network->forward(inputs), out, cap, n_out);
}

levin_networks make_networks_table() {
  levin_networks t{};
  t.size = sizeof t;
  t.open = [](levin_run* run, const char* file, levin_network** out) { return serve([&] { *out = open(run, file); }); };
  t.data = [](const levin_network* network) { return network->network->data(); };
  t.forward = [](levin_run* run, levin_network* network, levin_tensor* const* in, uint32_t n, levin_tensor** out,
                 uint32_t cap,
                 uint32_t* n_out) { return serve([&] { return forward(run, network, in, n, out, cap, n_out); }); };
  t.close = [](levin_network* network) { delete network; };
  return t;
}

}  // namespace

void set_network_reader(NetworkReader reader) { network_reader = reader; }

const levin_networks* networks_service() {
  static const levin_networks table = make_networks_table();
  return &table;
}

}  // namespace levin::core
