// The services of the host.
#pragma once
#include <string>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The host's services, looked up once per component; nullptr = not offered by the host.
struct Services {
  explicit Services(const levin_host* of) : host(of) {
    if (!host) return;
    trainer = find<levin_trainer>("levin.trainer/1");
    params = find<levin_params>("levin.params/1");
    optim = find<levin_optim>("levin.optim/1");
    checkpoint = find<levin_checkpoint>("levin.checkpoint/1");
    trial = find<levin_trial>("levin.trial/1");
    modules = find<levin_module_tree>("levin.module_tree/1");
    devices = find<levin_devices>("levin.devices/1");
    dist = find<levin_dist>("levin.dist/1");
    data = find<levin_run_data>("levin.run_data/1");
    networks = find<levin_networks>("levin.networks/1");
  }
  template <class T>
  const T* find(const char* id) const {
    return static_cast<const T*>(host->service(host, id));
  }
  template <class T>
  const T& need(const T* service, const char* id) const {
    if (!service) throw Error(LEVIN_E_UNSUPPORTED, std::string("this host does not offer ") + id);
    return *service;
  }
  const levin_host* host = nullptr;
  const levin_trainer* trainer = nullptr;
  const levin_params* params = nullptr;
  const levin_optim* optim = nullptr;
  const levin_checkpoint* checkpoint = nullptr;
  const levin_trial* trial = nullptr;
  const levin_module_tree* modules = nullptr;
  const levin_devices* devices = nullptr;
  const levin_dist* dist = nullptr;
  const levin_run_data* data = nullptr;
  const levin_networks* networks = nullptr;
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
