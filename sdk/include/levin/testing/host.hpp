// The fake host: the services that a portable plugin may call, without LibTorch.
#pragma once
#include "levin/detail/event.hpp"
#include "levin/testing/data.hpp"
#include "levin/testing/dist.hpp"
#include "levin/testing/optim.hpp"
#include "levin/testing/params.hpp"
#include "levin/testing/services.hpp"
#include "levin/testing/world.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

class FakeHost : public World {
 public:
  FakeHost() {
    host_.size = sizeof host_;
    host_.abi_minor = LEVIN_ABI_MINOR;
    host_.name = "fake host";
    host_.version = "0";
    host_.ctx = static_cast<World*>(this);
    tensor_host = &host_;
    host_.service = &service;
    host_.last_error = [](const levin_host* host) { return of(host).reason.c_str(); };
    host_.fail = [](const levin_host* host, levin_status status, const char* text) -> levin_status {
      of(host).failure = text ? text : "";
      return status;
    };
    host_.log = [](const levin_host* host, int32_t level, const char* text) {
      of(host).messages.emplace_back(level, text);
    };
    host_.tensor_retain = [](const levin_host*, levin_tensor* t) { ++Tensor::of(t).references; };
    host_.tensor_release = [](const levin_host* host, levin_tensor* t) {
      if (--Tensor::of(t).references > 0) return;
      --of(host).live_tensors;
      delete &Tensor::of(t);
    };
    host_.tensor_view = [](const levin_host*, levin_tensor* t, levin_view* out) -> levin_status {
      *out = Tensor::of(t).view;
      return LEVIN_OK;
    };
    host_.tensor_from_view = [](const levin_host* host, const levin_view* view, levin_tensor** out) -> levin_status {
      *out = copy_of(*view)->handle();
      ++of(host).live_tensors;
      return LEVIN_OK;
    };
    host_.tensor_from_managed = [](const levin_host* host, levin_managed* managed, levin_tensor** out) -> levin_status {
      *out = copy_of(managed->view)->handle();
      ++of(host).live_tensors;
      if (managed->deleter) managed->deleter(managed);
      return LEVIN_OK;
    };
    host_.tensor_item = [](const levin_host*, levin_tensor* t, double* out) -> levin_status {
      if (element_count(Tensor::of(t).view) != 1) return LEVIN_E_INVALID;
      *out = element(Tensor::of(t).view, 0);
      return LEVIN_OK;
    };
  }
  FakeHost(const FakeHost&) = delete;
  ~FakeHost() {
    for (levin_tensor* tensor : owned_) host_.tensor_release(&host_, tensor);
    while (!snapshots.empty()) detail::params().drop(run(), snapshots.begin()->first);
  }

  const levin_host* raw() const { return &host_; }

  // Returns a tensor that lives as long as this host.
  levin_tensor* tensor(std::vector<float> values, std::vector<int64_t> shape = {}) {
    levin_view view{values.data(),
                    {LEVIN_CPU, 0},
                    static_cast<int32_t>(shape.size()),
                    {LEVIN_FLOAT, 32, 1},
                    shape.data(),
                    nullptr,
                    0};
    return tensor(view);
  }
  levin_tensor* tensor(const levin_view& view) {
    levin_tensor* made = nullptr;
    host_.tensor_from_view(&host_, &view, &made);
    owned_.push_back(made);
    return made;
  }

  // Returns an event with the current epoch and step. The test sets the fields that are specific to the hook.
  levin_event event(uint32_t hook, Stage stage = Stage::fit) {
    levin_event e{};
    e.size = sizeof e;
    e.hook = hook;
    e.run = run();
    e.stage = static_cast<uint32_t>(stage);
    e.epoch = static_cast<int64_t>(numbers["current_epoch"]);
    e.global_step = static_cast<int64_t>(numbers["global_step"]);
    e.output_size = sizeof(levin_named);
    e.batch_idx = e.dataloader_idx = e.optimizer_idx = e.n_batches = -1;
    return e;
  }

 protected:
  static World& of(const levin_host* host) { return *static_cast<World*>(host->ctx); }
  static const void* service(const levin_host* host, const char* id) {
    const std::string name = id;
    if (of(host).missing_services.count(name)) return nullptr;
    if (name == "levin.trainer/1") return &detail::trainer();
    if (name == "levin.optim/1") return &detail::optim();
    if (name == "levin.checkpoint/1") return &detail::checkpoint();
    if (name == "levin.params/1") return &detail::params();
    if (name == "levin.devices/1") return &detail::devices();
    if (name == "levin.dist/1") return &detail::dist();
    if (name == "levin.trial/1") return &detail::trial();
    if (name == "levin.run_data/1") return &detail::data();
    if (name == "levin.module_tree/1") return &detail::module_tree();
    if (name == "levin.networks/1") return &detail::networks();
    return nullptr;
  }

  levin_host host_{};

 private:
  std::vector<levin_tensor*> owned_;
};

}  // namespace levin::testing
#pragma GCC visibility pop
