// Data modules: derive from levin::DataModule and declare
//   std::vector<levin::Field> fields();                    what a row is made of; the same in every split
//   int64_t rows(levin::Split);                            after setup; 0: no such split; -1: unknown (a stream)
// and one of
//   void fill(const levin::Fill&, const levin_view* out);  many rows into the host's row-major buffers, a view a field
//   void get(levin::Split, int64_t index, levin::Row&);    one row
//   bool next(levin::Split, std::vector<levin_managed*>&); the next batch of a stream; false: the epoch ends
// With int64_t loaders(levin::Split), a split has several loaders: rows, next and rewind then take the loader's index
// after the split, and fill finds it in levin::Fill. Also
//   void dataloader(levin::LoaderPlan&);                   how one loader is made: its sampler, batch size
//   const char* combined_mode(levin::Split);               "max_size_cycle", "min_size", "max_size", "sequential"
// and, where wanted, prepare_data() (once, in one process), setup(levin::Stage), teardown(levin::Stage),
// rewind(levin::Split, int64_t epoch) for streams, save/load, hooks.
// fill and get must be pure: a row depends on (split, index) and, for augmentation, on the fill's epoch and seed.
// `static constexpr bool concurrent = true` says that they may run on several threads at once.
#pragma once
#include <string>
#include <vector>

#include "levin/callback.hpp"

namespace levin {

enum class Split : uint32_t { train, val, test, predict };

// A field of a row. shape excludes the batch dimension; {} is one number a row.
struct Field {
  std::string name;
  levin_dtype dtype;
  std::vector<int64_t> shape;
  uint32_t role = LEVIN_ROLE_INPUT;
  int64_t classes = 0;
  std::vector<std::string> class_names;
};
inline constexpr levin_dtype float32{LEVIN_FLOAT, 32, 1};
inline constexpr levin_dtype float64{LEVIN_FLOAT, 64, 1};
inline constexpr levin_dtype int64{LEVIN_INT, 64, 1};
inline constexpr levin_dtype uint8{LEVIN_UINT, 8, 1};
inline Field input(std::string name, levin_dtype dtype, std::vector<int64_t> shape) {
  return {std::move(name), dtype, std::move(shape), LEVIN_ROLE_INPUT, 0, {}};
}
inline Field target(std::string name, int64_t classes, std::vector<std::string> class_names = {}) {
  return {std::move(name), int64, {}, LEVIN_ROLE_TARGET, classes, std::move(class_names)};
}

struct Fill {
  levin::Split split;
  const int64_t* indices;
  int64_t n, epoch;
  uint64_t seed;
  int64_t loader;  // its index in the split
};

// How the host is about to make a loader; what is set here holds instead.
class LoaderPlan {
 public:
  struct Kept {
    std::vector<double> weights;
    std::vector<int64_t> indices;
  };
  LoaderPlan(levin_loader* raw, Kept& kept) : raw_(raw), kept_(kept) {}
  levin::Split split() const { return static_cast<levin::Split>(raw_->split); }
  int64_t loader() const { return raw_->loader; }
  int64_t epoch() const { return raw_->epoch; }  // in which it is made
  int64_t batch_size() const { return raw_->batch_size; }
  void batch_size(int64_t rows) { raw_->batch_size = rows; }
  void shuffle(bool on) { raw_->shuffle = on; }
  void drop_last(bool on) { raw_->drop_last = on; }

  // The order of rows. n: draws in an epoch; 0: as many as there are rows.
  void sequential() { raw_->sampler = LEVIN_SAMPLER_SEQUENTIAL; }
  void random(bool replacement = false, int64_t n = 0) {
    raw_->sampler = LEVIN_SAMPLER_RANDOM;
    raw_->replacement = replacement;
    raw_->n = n;
  }
  void weighted(std::vector<double> weights, int64_t n = 0, bool replacement = true) {
    kept_.weights = std::move(weights);
    raw_->sampler = LEVIN_SAMPLER_WEIGHTED;
    raw_->weights = kept_.weights.data();
    raw_->replacement = replacement;
    raw_->n = n;
  }
  void subset(std::vector<int64_t> indices) {
    kept_.indices = std::move(indices);
    raw_->sampler = LEVIN_SAMPLER_SUBSET;
    raw_->indices = kept_.indices.data();
    raw_->n = static_cast<int64_t>(kept_.indices.size());
  }

 private:
  levin_loader* raw_;
  Kept& kept_;
};

// Where one row goes.
class Row {
 public:
  Row(const levin_view* views, int64_t row) : views_(views), row_(row) {}
  template <class T>
  T* data(size_t field) const {
    int64_t n = 1;
    for (int32_t d = 1; d < views_[field].ndim; ++d) n *= views_[field].shape[d];
    return static_cast<T*>(views_[field].data) + row_ * n;
  }

 private:
  const levin_view* views_;
  int64_t row_;
};

class DataModule : public Object {};

namespace detail {
LEVIN_DETECT(fill)
LEVIN_DETECT(get)
LEVIN_DETECT(next)
LEVIN_DETECT(rewind)
LEVIN_DETECT(concurrent)
LEVIN_DETECT(loaders)
LEVIN_DETECT(dataloader)
LEVIN_DETECT(combined_mode)

// The C form of the fields, alive with the instance.
struct DataExtra {
  std::vector<Field> fields;
  std::vector<std::vector<const char*>> class_names;
  std::vector<levin_field> raw;
  LoaderPlan::Kept kept;
  void set(std::vector<Field> from) {
    fields = std::move(from);
    class_names.assign(fields.size(), {});
    raw.clear();
    for (size_t i = 0; i < fields.size(); ++i) {
      const Field& f = fields[i];
      levin_field r{};
      r.name = f.name.c_str();
      r.dtype = f.dtype;
      if (f.shape.size() > 6) throw Error(LEVIN_E_INVALID, "field '" + f.name + "' has more than 6 dimensions");
      r.ndim = static_cast<int32_t>(f.shape.size());
      for (size_t d = 0; d < f.shape.size(); ++d) r.shape[d] = f.shape[d];
      r.role = f.role;
      r.classes = f.classes;
      for (const std::string& name : f.class_names) class_names[i].push_back(name.c_str());
      r.class_names = class_names[i].empty() ? nullptr : class_names[i].data();
      raw.push_back(r);
    }
  }
};

// setup and teardown may take the stage or nothing.
template <class T, class F>
levin_status at_stage(T& object, F member, Stage stage) {
  if constexpr (std::is_invocable_v<F, T&, Stage>)
    return status_of(object, member, stage);
  else
    return status_of(object, member);
}

// member(split, more...), or member(split, loader, more...) where the class tells loaders apart.
template <class T, class F, class... A>
decltype(auto) of_loader(T& object, F member, uint32_t split, [[maybe_unused]] uint32_t loader, A&&... more) {
  if constexpr (std::is_invocable_v<F, T&, Split, int64_t, A...>)
    return (object.*member)(static_cast<Split>(split), static_cast<int64_t>(loader), std::forward<A>(more)...);
  else
    return (object.*member)(static_cast<Split>(split), std::forward<A>(more)...);
}

template <class H>
levin_status describe_data(void* self, uint32_t split, uint32_t loader, levin_split* out) noexcept {
  H& h = H::of(self);
  using T = decltype(H::object);
  return guard(h.object.host(), [&]() -> levin_status {
    const int64_t rows = of_loader(h.object, &T::rows, split, loader);
    if (rows == 0) return LEVIN_E_UNSUPPORTED;
    h.extra.set(h.object.fields());
    out->rows = rows;
    out->fields = h.extra.raw.data();
    out->n_fields = static_cast<uint32_t>(h.extra.raw.size());
    return LEVIN_OK;
  });
}

template <class H>
levin_status fill_data(void* self, const levin_fill* in, const levin_view* out) noexcept {
  auto& object = H::of(self).object;
  using T = decltype(H::object);
  return guard(object.host(), [&] {
    [[maybe_unused]] const Split split = static_cast<Split>(in->split);
    if constexpr (has_fill<T>::value) {
      object.fill(Fill{split, in->indices, in->n, in->epoch, in->seed, in->loader}, out);
    } else {
      for (int64_t i = 0; i < in->n; ++i) {
        Row row(out, i);
        of_loader(object, &T::get, in->split, in->loader, in->indices[i], row);
      }
    }
  });
}

template <class H>
levin_status next_data(void* self, uint32_t split, uint32_t loader, levin_managed** out, uint32_t cap,
                       uint32_t* n) noexcept {
  auto& object = H::of(self).object;
  using T = decltype(H::object);
  return guard(object.host(), [&]() -> levin_status {
    std::vector<levin_managed*> batch;
    if (!of_loader(object, &T::next, split, loader, batch)) return LEVIN_STOP;
    if (batch.size() > cap) throw Error(LEVIN_E_INVALID, "a batch with more fields than described");
    for (size_t i = 0; i < batch.size(); ++i) out[i] = batch[i];
    *n = static_cast<uint32_t>(batch.size());
    return LEVIN_OK;
  });
}

template <class T>
levin_data make_data_table() {
  using H = Holder<T, DataExtra>;
  levin_data t{};
  t.o = object_table<H>();
  t.o.size = sizeof t;
  if constexpr (has_prepare_data<T>::value)
    t.prepare = [](void* self) noexcept -> levin_status {
      T& object = H::of(self).object;
      return guard(object.host(), [&] { object.prepare_data(); });
    };
  if constexpr (has_setup<T>::value)
    t.setup = [](void* self, uint32_t stage) noexcept -> levin_status {
      T& object = H::of(self).object;
      return guard(object.host(), [&] { return at_stage(object, &T::setup, static_cast<Stage>(stage)); });
    };
  if constexpr (has_teardown<T>::value)
    t.teardown = [](void* self, uint32_t stage) noexcept -> levin_status {
      T& object = H::of(self).object;
      return guard(object.host(), [&] { return at_stage(object, &T::teardown, static_cast<Stage>(stage)); });
    };
  t.describe = &describe_data<H>;
  if constexpr (has_fill<T>::value || has_get<T>::value) t.fill = &fill_data<H>;
  if constexpr (has_next<T>::value) t.next = &next_data<H>;
  if constexpr (has_rewind<T>::value)
    t.rewind = [](void* self, uint32_t split, uint32_t loader, int64_t epoch) noexcept -> levin_status {
      T& object = H::of(self).object;
      return guard(object.host(), [&] { of_loader(object, &T::rewind, split, loader, epoch); });
    };
  if constexpr (has_loaders<T>::value)
    t.loaders = [](void* self, uint32_t split, uint32_t* n) noexcept -> levin_status {
      T& object = H::of(self).object;
      return guard(object.host(), [&] { *n = static_cast<uint32_t>(object.loaders(static_cast<Split>(split))); });
    };
  if constexpr (has_dataloader<T>::value)
    t.dataloader = [](void* self, levin_loader* loader) noexcept -> levin_status {
      H& h = H::of(self);
      return guard(h.object.host(), [&] {
        LoaderPlan plan(loader, h.extra.kept);
        h.object.dataloader(plan);
      });
    };
  if constexpr (has_combined_mode<T>::value)
    t.combined_mode = [](void* self, uint32_t split) noexcept -> const char* {
      return H::of(self).object.combined_mode(static_cast<Split>(split));
    };
  t.on = [](void* self, const levin_event* event) noexcept -> levin_status {
    T& object = H::of(self).object;
    return guard(object.host(), [&] { return dispatch(object, event); });
  };
  return t;
}

template <class T>
const levin_object* data_table() {
  static const levin_data table = make_data_table<T>();
  return &table.o;
}
}  // namespace detail

// The data of a model that brings its own, so that no --data is needed: a member `levin::OwnData<D> own_data;` of the
// model, made of D's constructor arguments. D is a class as for data_module().
template <class D>
class OwnData {
 public:
  template <class... A>
  explicit OwnData(A&&... arguments) : holder_(std::forward<A>(arguments)...) {}
  D* operator->() { return &holder_.object; }
  void* self() { return &holder_; }
  static const levin_data* table() { return reinterpret_cast<const levin_data*>(detail::data_table<D>()); }

 private:
  detail::Holder<D, detail::DataExtra> holder_;
};

template <class T>
levin_component data_module(const char* id, const char* summary) {
  static_assert(std::is_base_of_v<DataModule, T>, "a data module derives from levin::DataModule");
  static_assert(detail::has_fill<T>::value || detail::has_get<T>::value || detail::has_next<T>::value,
                "a data module has fill, get or next");
  levin_component c = detail::component_of<T>(LEVIN_KIND_DATA, id, summary);
  if constexpr (detail::has_concurrent<T>::value) c.flags |= T::concurrent ? LEVIN_F_CONCURRENT : 0u;
  c.create = &detail::create<detail::Holder<T, detail::DataExtra>, &detail::data_table<T>>;
  return c;
}

}  // namespace levin
