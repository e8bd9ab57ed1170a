// A plugin component in a test, created, driven and destroyed as the real host does it.
#pragma once
#include "levin/testing/host.hpp"
#include "levin/testing/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

// The state that a component saved to a checkpoint.
struct State {
  std::map<std::string, std::string> bytes;
  std::map<std::string, std::vector<double>> tensors;
};

inline const levin_component& find_component(const levin_plugin* plugin, const std::string& id) {
  for (uint64_t i = 0; plugin && i < plugin->n_components; ++i)
    if (id == plugin->components[i]->id) return *plugin->components[i];
  throw Error(LEVIN_E_NOT_FOUND, "the plugin has no component '" + id + "'");
}

// If a call of the component fails, levin::Error is thrown with the text that the component passed to the host.
class Component {
 public:
  // data: the description of the data for a model; borrowed for the call.
  Component(FakeHost& host, const levin_component& description, const Options& options = {}, const char* name = nullptr,
            const levin_data_info* data = nullptr)
      : host_(host), description_(description) {
    const CheckedOptions checked(description, options);
    if (description.kind == LEVIN_KIND_CALLBACK)  // options set in a test count as set by the user
      for (const auto& option : options.values)
        host.texts.emplace("origin.callback." + std::string(name ? name : description.id) + "." + option.first,
                           "--callback");
    const levin_create in = {sizeof in, LEVIN_STAGE_FIT, checked.args(), data, name ? name : description.id};
    check(description.create(host.raw(), &in, &self_, &table_));
  }
  // A component of the plugin that is compiled into the test, e.g. Component(host, "early_stopping", {...}).
  Component(FakeHost& host, const char* id, const Options& options = {})
      : Component(host, find_component(levin_plugin_v0(host.raw()), id), options) {}
  Component(const Component&) = delete;
  ~Component() {
    if (table_->destroy) table_->destroy(self_);
  }

  void* self() const { return self_; }
  const levin_component& description() const { return description_; }
  template <class Table>  // levin_callback, levin_logger, levin_data
  const Table& table() const {
    return *reinterpret_cast<const Table*>(table_);
  }

  // For callbacks: calls the hook if the component declares it. Returns LEVIN_OK, LEVIN_STOP, LEVIN_SKIP and the like.
  levin_status send(const levin_event& event) {
    if (!(description_.hooks[event.hook / 64] & LEVIN_BIT(event.hook))) return LEVIN_OK;
    return check(table<levin_callback>().on(self_, &event));
  }
  levin_status send(uint32_t hook, Stage stage = Stage::fit) { return send(host_.event(hook, stage)); }
  levin_status send_batch(uint32_t hook, int64_t batch_idx, int64_t n_batches, Stage stage = Stage::fit) {
    levin_event event = host_.event(hook, stage);
    event.batch_idx = batch_idx;
    event.n_batches = n_batches;
    event.dataloader_idx = 0;
    return send(event);
  }

  // For loggers.
  void begin(const std::string& run_dir, const std::string& hparams_json = "{}", int64_t resumed_step = -1) {
    begin(run_dir, hparams_json, resumed_step, "", {});
  }
  // options: the typed hyper-parameters; their names have the form "model.lr".
  void begin(const std::string& run_dir, const std::string& hparams_json, int64_t resumed_step,
             const std::string& run_name, const std::vector<std::string>& tags,
             const std::vector<std::pair<std::string, levin_value>>& options = {}) {
    std::vector<const char*> tag_pointers, names;
    std::vector<levin_value> values;
    for (const std::string& tag : tags) tag_pointers.push_back(tag.c_str());
    tag_pointers.push_back(nullptr);
    for (const auto& [name, value] : options) names.push_back(name.c_str()), values.push_back(value);
    const levin_args args = {sizeof args, static_cast<uint32_t>(values.size()), values.data(), "{}"};
    const levin_logger_begin b = {sizeof b,
                                  0,
                                  host_.run(),
                                  run_dir.c_str(),
                                  "run",
                                  hparams_json.c_str(),
                                  resumed_step,
                                  run_name.empty() ? nullptr : run_name.c_str(),
                                  tag_pointers.data(),
                                  &args,
                                  names.data()};
    if (table<levin_logger>().begin) check(table<levin_logger>().begin(self_, &b));
  }
  void metrics(int64_t step, const std::map<std::string, double>& values) {
    std::vector<const char*> names;
    std::vector<double> numbers;
    for (const auto& [name, value] : values) names.push_back(name.c_str()), numbers.push_back(value);
    check(
        table<levin_logger>().metrics(self_, step, names.data(), numbers.data(), static_cast<uint32_t>(names.size())));
  }
  void media(const Media& media) { this->media(media.raw()); }
  void artifact(const std::string& path, const std::string& name) {
    const levin_artifact a = {sizeof a, 0, path.c_str(), name.c_str(), nullptr};
    if (table<levin_logger>().artifact) check(table<levin_logger>().artifact(self_, &a));
  }
  void hparams(const std::string& json) {
    if (table<levin_logger>().hparams) check(table<levin_logger>().hparams(self_, json.c_str()));
  }
  std::string url() {
    const char* url = table<levin_logger>().url ? table<levin_logger>().url(self_) : nullptr;
    return url ? url : "";
  }
  void after_save(const levin::Saved& what) {
    const levin_saved saved = {
        sizeof saved,      (what.best ? LEVIN_SAVED_BEST : 0u) | (what.last ? LEVIN_SAVED_LAST : 0u),
        what.path.c_str(), what.monitor.empty() ? nullptr : what.monitor.c_str(),
        what.score,        what.epoch,
        what.global_step};
    if (table<levin_logger>().after_save) check(table<levin_logger>().after_save(self_, &saved));
  }
  void media(const levin_media& media) { check(table<levin_logger>().media(self_, &media)); }
  void flush() {
    if (table<levin_logger>().flush) check(table<levin_logger>().flush(self_));
  }
  void finalize(const char* status = "success") { check(table<levin_logger>().finalize(self_, status)); }

  // Returns the state that the component saves to a checkpoint.
  State save() {
    State state;
    if (!table_->save) return state;
    std::pair<State*, World*> context(&state, &host_);
    const levin_writer writer = {
        sizeof writer, 0, &context,
        [](const levin_writer* w, const char* key, const void* data, size_t n) -> levin_status {
          static_cast<decltype(context)*>(w->ctx)->first->bytes[key] = std::string(static_cast<const char*>(data), n);
          return LEVIN_OK;
        },
        [](const levin_writer* w, const char* key, levin_tensor* tensor) -> levin_status {
          const auto& [to, world] = *static_cast<decltype(context)*>(w->ctx);
          to->tensors[key] = world->elements(tensor);
          return LEVIN_OK;
        }};
    check(table_->save(self_, &writer));
    return state;
  }
  void load(const State& state) {
    if (!table_->load) return;
    const levin_reader reader = {
        sizeof reader,
        0,
        const_cast<State*>(&state),
        description_.version,
        [](const levin_reader* r, const char* key, const void** data, size_t* n) -> levin_status {
          const auto& all = static_cast<const State*>(r->ctx)->bytes;
          const auto found = all.find(key);
          if (found == all.end()) return LEVIN_E_NOT_FOUND;
          *data = found->second.data();
          *n = found->second.size();
          return LEVIN_OK;
        },
        [](const levin_reader*, const char*, levin_tensor**) -> levin_status { return LEVIN_E_NOT_FOUND; }};
    check(table_->load(self_, &reader));
  }

  const void* extension(const char* id) const { return table_->extension ? table_->extension(self_, id) : nullptr; }

  // Throws Error if status is a failure, else returns it.
  levin_status check(levin_status status) {
    if (status < 0) throw Error(status, host_.failure);
    return status;
  }

 protected:
  FakeHost& host_;

 private:
  const levin_component& description_;
  void* self_ = nullptr;
  const levin_object* table_ = nullptr;
};

}  // namespace levin::testing
#pragma GCC visibility pop
