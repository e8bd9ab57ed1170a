// The C table of a data module class.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/data_extensions.h"
#include "levin/detail/data_rules.hpp"
#include "levin/detail/object.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Returns the field as a C struct, which borrows the strings of the field and of class_names.
inline levin_field as_c(const Field& field, const std::vector<const char*>& class_names) {
  if (field.shape.size() > 6) throw Error(LEVIN_E_INVALID, "field '" + field.name + "' has more than 6 dimensions");
  if (!class_names.empty() && static_cast<int64_t>(class_names.size()) != field.classes)
    throw Error(LEVIN_E_INVALID, "field '" + field.name + "' has " + std::to_string(field.classes) +
                                     " classes and names " + std::to_string(class_names.size()) + " of them");
  levin_field out{};
  out.name = field.name.c_str();
  out.dtype = field.dtype;
  out.ndim = static_cast<int32_t>(field.shape.size());
  std::copy(field.shape.begin(), field.shape.end(), out.shape);
  out.role = field.role;
  out.classes = field.classes;
  out.class_names = class_names.empty() ? nullptr : class_names.data();
  return out;
}

// Data that lives as long as the instance: the fields as C structs, the data of loader plans, and the last byte_scale.
struct DataExtra {
  std::vector<Field> fields;
  std::vector<std::vector<const char*>> class_names;
  std::vector<levin_field> raw;
  LoaderPlan::Kept kept;
  ByteScale byte_scale;

  // Throws Error if the host cannot take a field. Equal fields are not moved, because other threads may be filling rows
  // of another split.
  void set(std::vector<Field> from) {
    if (!raw.empty() && from == fields) return;
    fields = std::move(from);
    class_names.assign(fields.size(), {});
    raw.clear();
    std::vector<levin_field> made;
    for (size_t i = 0; i < fields.size(); ++i) {
      for (const std::string& name : fields[i].class_names) class_names[i].push_back(name.c_str());
      made.push_back(as_c(fields[i], class_names[i]));
    }
    raw = std::move(made);
  }
};

// Calls setup or teardown, which may take the stage or nothing.
template <class T, class F>
levin_status at_stage(T& object, F member, Stage stage) {
  if constexpr (std::is_invocable_v<F, T&, Stage>)
    return status_of(object, member, stage);
  else
    return status_of(object, member);
}

// Calls member(split, more...), or member(split, loader, more...) if the member takes the loader.
template <class T, class F, class... A>
decltype(auto) of_loader(T& object, F member, uint32_t split, [[maybe_unused]] uint32_t loader, A&&... more) {
  if constexpr (std::is_invocable_v<F, T&, Split, int64_t, A...>)
    return (object.*member)(static_cast<Split>(split), static_cast<int64_t>(loader), std::forward<A>(more)...);
  else
    return (object.*member)(static_cast<Split>(split), std::forward<A>(more)...);
}

template <class H>
levin_status describe_data(void* self, uint32_t split, uint32_t loader, levin_split* out) noexcept {
  using T = Held<H>;
  DataExtra& extra = H::of(self).extra;
  return with_object<H>(self, [&](T& object) -> levin_status {
    const int64_t rows = of_loader(object, &T::rows, split, loader);
    if (rows == 0) return LEVIN_E_UNSUPPORTED;
    extra.set(object.fields());
    out->rows = rows;
    out->fields = extra.raw.data();
    out->n_fields = static_cast<uint32_t>(extra.raw.size());
    out->field_size = sizeof(levin_field);
    return LEVIN_OK;
  });
}

// Calls get for row i of the fill, with the arguments that it takes.
template <class T, class R>
void get_row(T& object, const levin_fill& in, int64_t i, R& row) {
  const int64_t index = in.indices[i];
  const auto split = static_cast<Split>(in.split);
  const Draw draw{split, static_cast<int64_t>(in.loader), index, in.epoch, in.seed};
  if constexpr (can_call<T, name_get, Takes<Split, int64_t, R&, const Draw&>>::value ||
                can_call<T, name_get, Takes<Split, int64_t, int64_t, R&, const Draw&>>::value)
    of_loader(object, &T::get, in.split, in.loader, index, row, draw);
  else
    of_loader(object, &T::get, in.split, in.loader, index, row);
}

inline Fill fill_of(const levin_fill& in) {
  return {static_cast<Split>(in.split), in.indices, in.n, in.epoch, in.seed, in.loader};
}

template <class H>
levin_status fill_data(void* self, const levin_fill* in, const levin_view* out) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) {
    if constexpr (has_fill<T>::value) {
      object.fill(fill_of(*in), out);
    } else {
      const std::vector<Field>& fields = H::of(self).extra.fields;
      for (int64_t i = 0; i < in->n; ++i) {
        Row row(out, i, fields);
        get_row(object, *in, i, row);
      }
    }
  });
}

// Makes a batch with collate from the rows of a get that takes Samples.
template <class H>
levin_status batch_data(void* self, const levin_fill* in, levin_managed** out, uint32_t cap, uint32_t* n) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) {
    ManagedList batch;
    if constexpr (has_batch<T>::value) {
      object.batch(fill_of(*in), batch.tensors);
    } else {
      std::vector<Sample> rows(static_cast<size_t>(in->n), Sample(H::of(self).extra.fields));
      for (int64_t i = 0; i < in->n; ++i) get_row(object, *in, i, rows[static_cast<size_t>(i)]);
      if constexpr (has_collate<T>::value)
        object.collate(rows, batch.tensors);
      else
        collate_padded(rows, batch.tensors);
    }
    batch.hand_over(out, cap, n);
  });
}

template <class H>
levin_status resident_data(void* self, uint32_t split, uint32_t loader, levin_managed** out, uint32_t cap,
                           uint32_t* n) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) {
    ManagedList all;
    of_loader(object, &T::resident, split, loader, all.tensors);
    all.hand_over(out, cap, n);
  });
}

template <class H>
levin_status next_data(void* self, const levin_fill* in, levin_managed** out, uint32_t cap, uint32_t* n) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) -> levin_status {
    ManagedList batch;
    bool more;
    if constexpr (chooses_batch_sizes<T>())
      more = of_loader(object, &T::next, in->split, in->loader, batch.tensors);
    else
      more = object.next(fill_of(*in), batch.tensors);
    if (!more) return LEVIN_STOP;
    batch.hand_over(out, cap, n);
    return LEVIN_OK;
  });
}

template <class H>
levin_status rewind_data(void* self, const levin_fill* in) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [in](T& object) {
    if constexpr (can_call<T, name_rewind, Takes<const Fill&>>::value)
      object.rewind(fill_of(*in));
    else
      of_loader(object, &T::rewind, in->split, in->loader, in->epoch);
  });
}

inline uint32_t number_of_loaders(int64_t n) {
  if (n >= 0 && n <= UINT32_MAX) return static_cast<uint32_t>(n);  // the host checks the maximum
  throw Error(LEVIN_E_INVALID, "a split cannot have " + std::to_string(n) + " loaders");
}

// Throws Error unless there is one weight per row. rows = -1 for a stream.
inline void check_weights(size_t weights, int64_t rows) {
  if (rows >= 0 && weights == static_cast<size_t>(rows)) return;
  throw Error(LEVIN_E_INVALID, "a weighted sampler needs one weight for each row: " +
                                   (rows < 0 ? std::string("unknown") : std::to_string(rows)) + " rows, " +
                                   std::to_string(weights) + " weights");
}

// Returns true if the rows of the split come from next, by the same rule as in the host.
template <class T>
bool is_stream(T& object, const levin_loader& loader) {
  const bool by_index = has_fill<T>::value || has_get<T>::value || has_batch<T>::value || has_resident<T>::value;
  return !by_index || of_loader(object, &T::rows, loader.split, loader.loader) < 0;
}

template <class H>
levin_status plan_loader(void* self, levin_loader* loader) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) {
    [[maybe_unused]] const int64_t wanted = loader->batch_size;
    if constexpr (has_dataloader<T>::value) {
      LoaderPlan::Kept& kept = H::of(self).extra.kept;
      LoaderPlan plan(loader, kept);
      object.dataloader(plan);
      if (loader->sampler == LEVIN_SAMPLER_WEIGHTED)
        check_weights(kept.weights.size(), of_loader(object, &T::rows, loader->split, loader->loader));
    }
    if constexpr (chooses_batch_sizes<T>())
      if (loader->batch_size == wanted && is_stream(object, *loader)) loader->batch_size = 0;
  });
}

template <class H>
levin_status name_row(void* self, uint32_t split, uint32_t loader, int64_t index, const char** name) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) {
    static thread_local std::string kept;
    kept = of_loader(object, &T::row_name, split, loader, index);
    *name = kept.c_str();
  });
}

template <class H>
levin_status measure_rows(void* self, uint32_t split, uint32_t loader, int64_t n, int64_t* out) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) {
    for (int64_t i = 0; i < n; ++i) out[i] = of_loader(object, &T::row_length, split, loader, i);
  });
}

template <class H>
levin_status scale_bytes(void* self, uint32_t field, levin_byte_scale* out) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [&](T& object) -> levin_status {
    ByteScale& kept = H::of(self).extra.byte_scale;
    kept = object.byte_scale(static_cast<int64_t>(field));
    if (kept.scale.size() != kept.shift.size())
      throw Error(LEVIN_E_INVALID, "byte_scale of field " + std::to_string(field) + " has " +
                                       std::to_string(kept.scale.size()) + " scales and " +
                                       std::to_string(kept.shift.size()) + " shifts");
    if (kept.scale.empty()) return LEVIN_E_UNSUPPORTED;
    out->channels = static_cast<uint32_t>(kept.scale.size());
    out->scale = kept.scale.data();
    out->shift = kept.shift.data();
    return LEVIN_OK;
  });
}

template <class H>
levin_status take_run_dir(void* self, const char* path) noexcept {
  using T = Held<H>;
  return with_object<H>(self, [path](T& object) { object.run_dir(std::string(path)); });
}

// Returns an extension of a data module. The class's own extension() is called last.
template <class H>
const void* extension_of_data(void* self, const char* id) noexcept {
  using T = Held<H>;
  if constexpr (has_row_name<T>::value) {
    static const levin_row_names names = {sizeof names, 0, &name_row<H>};
    if (std::strcmp(id, LEVIN_ROW_NAMES) == 0) return &names;
  }
  if constexpr (has_row_length<T>::value) {
    static const levin_row_lengths lengths = {sizeof lengths, 0, &measure_rows<H>};
    if (std::strcmp(id, LEVIN_ROW_LENGTHS) == 0) return &lengths;
  }
  if constexpr (has_byte_scale<T>::value) {
    static const levin_byte_fields bytes = {sizeof bytes, 0, &scale_bytes<H>};
    if (std::strcmp(id, LEVIN_BYTE_FIELDS) == 0) return &bytes;
  }
  if constexpr (has_run_dir<T>::value) {
    static const levin_run_dir dir = {sizeof dir, 0, &take_run_dir<H>};
    if (std::strcmp(id, LEVIN_RUN_DIR) == 0) return &dir;
  }
  if constexpr (has_state_before_setup<T>::value)
    if (T::state_before_setup && std::strcmp(id, LEVIN_STATE_BEFORE_SETUP) == 0) return self;
  const auto other = object_table<H>().extension;
  return other ? other(self, id) : nullptr;
}

template <class H>
levin_data make_data_table() {
  using T = Held<H>;
  levin_data t{};
  t.o = object_table<H>();
  t.o.size = sizeof t;
  t.o.extension = &extension_of_data<H>;
  if constexpr (has_prepare_data<T>::value)
    t.prepare = [](void* self) noexcept { return with_object<H>(self, [](T& object) { object.prepare_data(); }); };
  if constexpr (has_setup<T>::value)
    t.setup = [](void* self, uint32_t stage) noexcept {
      return with_object<H>(self, [=](T& object) { return at_stage(object, &T::setup, static_cast<Stage>(stage)); });
    };
  if constexpr (has_teardown<T>::value)
    t.teardown = [](void* self, uint32_t stage) noexcept {
      return with_object<H>(self, [=](T& object) { return at_stage(object, &T::teardown, static_cast<Stage>(stage)); });
    };
  t.describe = &describe_data<H>;
  if constexpr (has_fill<T>::value || (has_get<T>::value && !gets_samples<T>())) t.fill = &fill_data<H>;
  if constexpr (has_batch<T>::value || gets_samples<T>()) t.batch = &batch_data<H>;
  if constexpr (has_resident<T>::value) t.resident = &resident_data<H>;
  if constexpr (has_next<T>::value) t.next = &next_data<H>;
  if constexpr (has_rewind<T>::value) t.rewind = &rewind_data<H>;
  if constexpr (has_loaders<T>::value)
    t.loaders = [](void* self, uint32_t split, uint32_t* n) noexcept {
      return with_object<H>(self,
                            [=](T& object) { *n = number_of_loaders(object.loaders(static_cast<Split>(split))); });
    };
  if constexpr (has_dataloader<T>::value || chooses_batch_sizes<T>()) t.dataloader = &plan_loader<H>;
  if constexpr (has_combined_mode<T>::value)
    t.combined_mode = [](void* self, uint32_t split) noexcept -> const char* {
      return H::of(self).object.combined_mode(static_cast<Split>(split));
    };
  t.on = &on_event<H>;
  return t;
}

template <class H>
const levin_object* data_table() {
  static const levin_data table = make_data_table<H>();
  return &table.o;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
