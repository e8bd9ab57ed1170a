#include "core/services/run_interface.hpp"

#include "core/components/failure.hpp"
#include "core/components/tensor_handle.hpp"
#include "core/services/device_memory.hpp"
#include "core/services/ops_service.hpp"

namespace levin::core {
namespace {

levin_trainer trainer_service() {
  levin_trainer t{};
  t.size = sizeof t;
  t.log = [](levin_run* run, const levin_log* log) { return serve([&] { run->log(*log); }); };
  t.metric = [](levin_run* run, uint32_t set, const char* name, double* out) {
    return serve([&] { return run->metric(set, name, *out) ? LEVIN_OK : LEVIN_E_NOT_FOUND; });
  };
  t.metrics = [](levin_run* run, uint32_t set, void (*each)(void*, const char*, double), void* ctx) {
    return serve([&] { run->metrics(set, [&](const char* name, double value) { each(ctx, name, value); }); });
  };
  t.number = [](levin_run* run, const char* name, double* out) {
    return serve([&]() -> levin_status {
      if (run->number(name, *out)) return LEVIN_OK;
      return failed_service(std::string("the trainer has no number '") + name + "'", LEVIN_E_NOT_FOUND);
    });
  };
  t.text = [](levin_run* run, const char* name, const char** out) {
    return serve([&]() -> levin_status {
      *out = run->text(name);
      if (*out) return LEVIN_OK;
      return failed_service(std::string("the trainer has no text '") + name + "'", LEVIN_E_NOT_FOUND);
    });
  };
  t.stop = [](levin_run* run, const char* reason) { return serve([&] { run->stop(reason ? reason : ""); }); };
  t.skip_epoch = [](levin_run* run) { return serve([&] { run->skip_epoch(); }); };
  t.log_now = [](levin_run* run, int64_t step, const char* const* names, const double* values, uint32_t n) {
    return serve([&] { run->log_now(step, names, values, n); });
  };
  t.media = [](levin_run* run, const levin_media* media) { return serve([&] { run->media(*media); }); };
  t.print = [](levin_run* run, const char* text) { return serve([&] { run->print(text ? text : ""); }); };
  t.set_number = [](levin_run* run, const char* name, double value) {
    return serve([&]() -> levin_status {
      if (run->set_number(name, value)) return LEVIN_OK;
      return failed_service(std::string("the trainer's number '") + name + "' cannot be set", LEVIN_E_NOT_FOUND);
    });
  };
  t.set_option = [](levin_run* run, const char* name, const char* json) {
    return serve([&] { run->set_option(name, json); });
  };
  return t;
}

levin_params params_service() {
  levin_params t{};
  t.size = sizeof t;
  t.visit = [](levin_run* run, const levin_visitor* visitor) { return serve([&] { run->visit(*visitor); }); };
  t.requires_grad = [](levin_run* run, const char* glob, int32_t on) {
    return serve([&] { return run->requires_grad(glob, on != 0) ? LEVIN_OK : LEVIN_E_NOT_FOUND; });
  };
  t.get_requires_grad = [](levin_run* run, const char* name, int32_t* on) {
    return serve([&] {
      bool value = false;
      const bool known = run->get_requires_grad(name, value);
      *on = value;
      return known ? LEVIN_OK : LEVIN_E_NOT_FOUND;
    });
  };
  t.snapshot = [](levin_run* run, uint64_t* id) { return serve([&] { *id = run->snapshot(); }); };
  t.swap = [](levin_run* run, uint64_t id) { return serve([&] { run->swap(id); }); };
  t.snapshot_visit = [](levin_run* run, uint64_t id, const levin_visitor* visitor) {
    return serve([&] { run->snapshot_visit(id, *visitor); });
  };
  t.lerp = [](levin_run* run, uint64_t id, double weight, uint32_t buffers) {
    return serve([&] { run->lerp(id, weight, buffers); });
  };
  t.drop = [](levin_run* run, uint64_t id) { return serve([&] { run->drop(id); }); };
  t.assign = [](levin_run* run, const char* name, levin_tensor* value) {
    return serve([&] { return run->assign(name, value) ? LEVIN_OK : LEVIN_E_NOT_FOUND; });
  };
  return t;
}

levin_optim optim_service() {
  levin_optim t{};
  t.size = sizeof t;
  t.count = [](levin_run* run, uint32_t* optimizers, uint32_t* schedulers) {
    return serve([&] { *optimizers = run->optimizer_count(), *schedulers = run->scheduler_count(); });
  };
  t.describe = [](levin_run* run, uint32_t optimizer, const char** name, uint32_t* groups) {
    return serve([&] { *name = run->optimizer_name(optimizer, *groups); });
  };
  t.group_name = [](levin_run* run, uint32_t optimizer, uint32_t group, const char** name) {
    return serve([&] { *name = run->group_name(optimizer, group); });
  };
  t.get = [](levin_run* run, uint32_t optimizer, uint32_t group, const char* option, double* out) {
    return serve([&] { *out = run->optimizer_get(optimizer, group, option); });
  };
  t.set = [](levin_run* run, uint32_t optimizer, uint32_t group, const char* option, double value) {
    return serve([&] { run->optimizer_set(optimizer, group, option, value); });
  };
  t.add_group = [](levin_run* run, uint32_t optimizer, const levin_group_desc* group) {
    return serve([&] { run->add_group(optimizer, *group); });
  };
  t.step = [](levin_run* run, uint32_t optimizer, levin_status (*closure)(void*), void* ctx) {
    return serve([&] { run->optimizer_step(optimizer, closure, ctx); });
  };
  t.zero_grad = [](levin_run* run, uint32_t optimizer) { return serve([&] { run->zero_grad(optimizer); }); };
  t.toggle = [](levin_run* run, uint32_t optimizer, int32_t on) {
    return serve([&] { run->toggle(optimizer, on != 0); });
  };
  t.backward = [](levin_run* run, levin_tensor* loss, int32_t retain_graph) {
    return serve([&] { run->backward(loss, retain_graph != 0); });
  };
  t.clip = [](levin_run* run, uint32_t optimizer, double value, const char* algorithm) {
    return serve([&] { run->clip(optimizer, value, algorithm ? algorithm : "norm"); });
  };
  t.scheduler = [](levin_run* run, uint32_t index, uint32_t* optimizer, const char** label, const char** interval) {
    return serve([&] { run->scheduler(index, *optimizer, *label, *interval); });
  };
  t.scheduler_step = [](levin_run* run, uint32_t index, double metric) {
    return serve([&] { run->scheduler_step(index, metric); });
  };
  t.pause_scheduler = [](levin_run* run, uint32_t index, int32_t paused) {
    return serve([&] { run->pause_scheduler(index, paused != 0); });
  };
  return t;
}

levin_checkpoint checkpoint_service() {
  levin_checkpoint t{};
  t.size = sizeof t;
  t.save = [](levin_run* run, const char* path, uint32_t flags) {
    return serve([&] { run->save_checkpoint(path, (flags & LEVIN_SAVE_WEIGHTS_ONLY) != 0); });
  };
  t.remove = [](levin_run* run, const char* path) { return serve([&] { run->remove_checkpoint(path); }); };
  t.wait = [](levin_run*) -> levin_status { return LEVIN_OK; };  // save returns when the file is durable
  t.load_weights = [](levin_run* run, const char* path) { return serve([&] { run->load_weights(path); }); };
  t.announce = [](levin_run* run, const char* which, const char* path, double score) {
    return serve([&] { run->announce_checkpoint(which, path ? path : "", score); });
  };
  t.list = [](levin_run* run, void (*each)(void*, const char*, uint32_t, double), void* ctx) {
    return serve([&] {
      run->list_checkpoints([&](const char* path, uint32_t names, double score) { each(ctx, path, names, score); });
    });
  };
  return t;
}

levin_trial trial_service() {
  levin_trial t{};
  t.size = sizeof t;
  t.begin = [](levin_run* run) { return serve([&] { run->trial_begin(); }); };
  t.step = [](levin_run* run, int64_t n, double* loss) {
    return serve([&]() -> levin_status {
      if (run->trial_step(n, *loss)) return LEVIN_OK;
      return failed_service("out of memory", LEVIN_E_MEMORY);
    });
  };
  t.set_batch_size = [](levin_run* run, int64_t rows) { return serve([&] { run->set_batch_size(rows); }); };
  t.end = [](levin_run* run) { return serve([&] { run->trial_end(); }); };
  return t;
}

levin_module_tree module_tree_service() {
  levin_module_tree t{};
  t.size = sizeof t;
  t.visit = [](levin_run* run, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) {
    return serve([&] { return run->module_tree(each, ctx) ? LEVIN_OK : LEVIN_E_UNSUPPORTED; });
  };
  t.sizes = [](levin_run* run, void (*each)(void*, const char*, const char*, const char*), void* ctx) {
    return serve([&] { return run->module_sizes(each, ctx) ? LEVIN_OK : LEVIN_E_UNSUPPORTED; });
  };
  return t;
}

levin_devices device_service() {
  levin_devices t{};
  t.size = sizeof t;
  t.current = [](levin_run* run, levin_device* out) { return serve([&] { *out = run->device(); }); };
  t.memory = [](levin_run* run, uint64_t* used, uint64_t* total) {
    return serve([&]() -> levin_status {
      const at::Device device = device_of(run->device());
      const auto memory = device_memory(device);
      if (!memory) return failed_service("the memory of " + device.str() + " is not known", LEVIN_E_UNSUPPORTED);
      *used = memory->used, *total = memory->total;
      return LEVIN_OK;
    });
  };
  t.to = [](const levin_host*, levin_tensor* tensor, levin_device device, levin_tensor** out) {
    return serve([&] { *out = release(retain(tensor).to(device_of(device))); });
  };
  return t;
}

// One process: reductions leave a tensor as it is.
levin_dist dist_service() {
  levin_dist t{};
  t.size = sizeof t;
  t.rank = [](levin_run*) { return 0u; };
  t.world_size = [](levin_run*) { return 1u; };
  t.all_reduce = [](levin_run*, levin_tensor*, uint32_t) -> levin_status { return LEVIN_OK; };
  t.broadcast = [](levin_run*, levin_tensor*, uint32_t) -> levin_status { return LEVIN_OK; };
  t.barrier = [](levin_run*) -> levin_status { return LEVIN_OK; };
  return t;
}

}  // namespace

const ServiceTable& services() {
  static const levin_trainer trainer = trainer_service();
  static const levin_params params = params_service();
  static const levin_optim optim = optim_service();
  static const levin_checkpoint checkpoint = checkpoint_service();
  static const levin_trial trial = trial_service();
  static const levin_module_tree module_tree = module_tree_service();
  static const levin_devices devices = device_service();
  static const levin_dist dist = dist_service();
  static const ServiceTable table = {
      {"levin.trainer/1", &trainer},         {"levin.params/1", &params},    {"levin.optim/1", &optim},
      {"levin.checkpoint/1", &checkpoint},   {"levin.device/1", &devices},   {"levin.dist/1", &dist},
      {"levin.module_tree/1", &module_tree}, {"levin.ops/1", ops_service()}, {"levin.trial/1", &trial},
  };
  return table;
}

}  // namespace levin::core
