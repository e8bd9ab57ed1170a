// An average of the model's weights: a snapshot that is moved towards the model's weights and can be swapped with them.
#pragma once
#include <string>

#include "levin/run.hpp"
#include "levin/state.hpp"

namespace levin::weight_averaging {

// The key of the number of averaged updates, stored beside the average in a checkpoint.
inline constexpr const char* count_in_checkpoint = "averaging_state.n_averaged";

class Average {
 public:
  bool exists() const { return id_ != 0; }
  bool in_the_model() const { return swapped_; }  // true while the model holds the average

  // Starts an average from the model's current weights.
  void begin(const Run& run) {
    if (exists()) forget(run);
    id_ = run.snapshot();
  }
  // average += weight * (model - average). buffers: LEVIN_BUFFERS_*.
  void move(const Run& run, double weight, uint32_t buffers) const { run.lerp(id_, weight, buffers); }
  // Swaps the average and the model's weights; a second call swaps them back.
  void swap(const Run& run) {
    run.swap(id_);
    swapped_ = !swapped_;
  }
  // Drops the snapshot; the model keeps its current weights.
  void forget(const Run& run) {
    run.drop(id_);
    id_ = 0;
    swapped_ = false;
  }

  // Writes the average as the checkpoint's weights, and the current weights as "current.NAME".
  void save(const Run& run, const Writer& writer) const {
    put(writer, swapped_ ? "current." : "state_dict.",
        [&](const levin_visitor& v) { check(run.params().snapshot_visit(run.raw(), id_, &v), "snapshot_visit"); });
    put(writer, swapped_ ? "state_dict." : "current.",
        [&](const levin_visitor& v) { check(run.params().visit(run.raw(), &v), "visit"); });
  }
  // Reverses save(): moves the loaded checkpoint's weights (the average) from the model into the snapshot, and restores
  // the model's current weights.
  void load(const Run& run, const Reader& reader) {
    begin(run);
    assign(run, reader, "current.");
  }

  // Writes the average as "average.NAME"; the checkpoint's weights remain the model's.
  void keep(const Run& run, const Writer& writer) const {
    put(writer, "average.",
        [&](const levin_visitor& v) { check(run.params().snapshot_visit(run.raw(), id_, &v), "snapshot_visit"); });
  }
  // Restores an average written by keep(), if the checkpoint has one.
  void restore(const Run& run, const Reader& reader) {
    begin(run);
    const bool found = assign(run, reader, "average.");
    run.swap(id_);
    if (!found) forget(run);
  }

 private:
  static void check(levin_status status, const char* what) { detail::check(status, what); }
  // Assigns the tensors PREFIX.NAME to the model. Returns true if there is at least one.
  static bool assign(const Run& run, const Reader& reader, const char* prefix) {
    struct Context {
      const Run& run;
      const Reader& reader;
      const char* prefix;
      bool found;
    } context{run, reader, prefix, false};
    levin_visitor visitor{sizeof visitor, 0, &context, nullptr};
    visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor*, uint32_t) -> levin_status {
      auto& c = *static_cast<Context*>(v->ctx);
      levin_tensor* value = nullptr;
      if (!c.reader.get_tensor((std::string(c.prefix) + name).c_str(), &value)) return LEVIN_OK;
      c.found = true;
      const levin_status status = c.run.params().assign(c.run.raw(), name, value);
      c.run.host()->tensor_release(c.run.host(), value);
      return status;
    };
    check(run.params().visit(run.raw(), &visitor), "assign");
    return context.found;
  }
  template <class Visit>
  static void put(const Writer& writer, const char* prefix, Visit&& visit) {
    struct Context {
      const Writer& writer;
      const char* prefix;
    } context{writer, prefix};
    levin_visitor visitor{sizeof visitor, 0, &context, nullptr};
    visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t) -> levin_status {
      const auto& c = *static_cast<const Context*>(v->ctx);
      return c.writer.raw()->put_tensor(c.writer.raw(), (std::string(c.prefix) + name).c_str(), tensor);
    };
    visit(visitor);
  }

  uint64_t id_ = 0;
  bool swapped_ = false;
};

}  // namespace levin::weight_averaging
