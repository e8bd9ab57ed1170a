// An average of the model's weights: a snapshot that moves towards the model, and the model's place while it is swapped
// in.
#pragma once
#include <string>

#include "levin/run.hpp"
#include "levin/state.hpp"

namespace levin::weight_averaging {

class Average {
 public:
  bool exists() const { return id_ != 0; }
  bool in_the_model() const { return swapped_; }

  void begin(const Run& run) { id_ = run.snapshot(); }
  // average += weight * (model - average); buffers: LEVIN_BUFFERS_*
  void move(const Run& run, double weight, uint32_t buffers) const { run.lerp(id_, weight, buffers); }
  // The model gets the average, and the snapshot what the model was; the second time it is the other way round.
  void swap(const Run& run) {
    run.swap(id_);
    swapped_ = !swapped_;
  }
  // The model keeps what it has.
  void forget(const Run& run) {
    run.drop(id_);
    id_ = 0;
    swapped_ = false;
  }

  // The average becomes the checkpoint's weights; the present ones are put as "current.NAME".
  void save(const Run& run, const Writer& writer) const {
    put(writer, swapped_ ? "current." : "state_dict.",
        [&](const levin_visitor& v) { check(run.params().snapshot_visit(run.raw(), id_, &v), "snapshot_visit"); });
    put(writer, swapped_ ? "state_dict." : "current.",
        [&](const levin_visitor& v) { check(run.params().visit(run.raw(), &v), "visit"); });
  }
  // The model holds the checkpoint's weights, the average; from then on it holds the present ones again.
  void load(const Run& run, const Reader& reader) {
    if (!exists()) begin(run);
    assign(run, reader, "current.");
  }

  // The checkpoint keeps the model's weights; the average is put as "average.NAME".
  void keep(const Run& run, const Writer& writer) const {
    put(writer, "average.",
        [&](const levin_visitor& v) { check(run.params().snapshot_visit(run.raw(), id_, &v), "snapshot_visit"); });
  }
  // Nothing where the checkpoint has no average.
  void restore(const Run& run, const Reader& reader) {
    begin(run);
    const bool found = assign(run, reader, "average.");
    run.swap(id_);
    if (!found) forget(run);
  }

 private:
  static void check(levin_status status, const char* what) { detail::check(status, what); }
  // Whether there was any such tensor.
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
