// Data modules: derive from levin::DataModule and declare
//   std::vector<levin::Field> fields();                    the fields of a row; the same in every split
//   int64_t rows(levin::Split);                            called after setup; 0 = no such split; -1 = a stream
// and one of
//   void get(levin::Split, int64_t index, levin::Row&);    one row
//   void get(levin::Split, int64_t index, levin::Sample&); one row whose fields differ in shape from row to row
//   void fill(const levin::Fill&, const levin_view* out);  many rows, into row-major buffers of the host, one per field
//   void batch(const levin::Fill&, std::vector<levin_managed*>&);    many rows, as one levin::managed tensor per field
//   void resident(levin::Split, std::vector<levin_managed*>&);       all rows, once; the host gathers the batches
//   bool next(const levin::Fill&, std::vector<levin_managed*>&);     the next batch of a stream, about Fill::n rows;
//                                                                    false = end of the epoch
//   bool next(levin::Split, std::vector<levin_managed*>&);           the same, of a size chosen by the module
// get may take a `const levin::Draw&` after the row, as the source of random numbers for augmentation. Rows given as
// levin::Sample are padded to the longest row of their batch, unless the class declares
//   void collate(const std::vector<levin::Sample>& rows, std::vector<levin_managed*>& batch);
// With int64_t loaders(levin::Split), a split has several loaders: rows, get, resident, next, rewind, row_name and
// row_length then take the loader's index after the split; levin::Fill has it as a member. Optional members:
//   void dataloader(levin::LoaderPlan&);                   settings of one loader: its sampler, batch size
//   std::string row_name(levin::Split, int64_t index);     the row's name in predictions.csv, such as its file
//   int64_t row_length(levin::Split, int64_t index);       the row's length, for --data.bucket_by_length
//   levin::ByteScale byte_scale(int64_t field);            the field's numbers stand for bytes: where a batch is copied
//                                                          to a GPU, fill then writes uint8 (view.dtype.bits == 8)
//   void run_dir(const std::string& path);                 before prepare_data: the run's folder
//   const char* combined_mode(levin::Split);               "max_size_cycle", "min_size", "max_size", "sequential"
// and prepare_data() (once, in one process), setup(levin::Stage), teardown(levin::Stage), rewind(const levin::Fill&) or
// rewind(levin::Split, int64_t epoch) for streams, save/load, hooks.
// get, fill and batch must be pure: a row depends on (split, index) and, for augmentation, on epoch and seed.
// `static constexpr bool concurrent = true`: get, fill and batch may be called on several threads at once.
// `static constexpr bool state_before_setup = true`: evaluations with a checkpoint also call load before setup.
#pragma once
#include <utility>

#include "levin/callback.hpp"
#include "levin/detail/data_table.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

class DataModule : public Object {};

// A model's own data module, which makes --data unnecessary: a member `levin::OwnData<D> own_data;` of the model,
// constructed from the arguments of D's constructor. D is a class as for data_module(). The model owns it.
template <class D>
class OwnData {
 public:
  using Data = D;
  template <class... A>
  explicit OwnData(A&&... arguments) : holder_(std::forward<A>(arguments)...) {}
  D* operator->() { return &holder_.object; }
  void* self() { return &holder_; }
  static const levin_data* table() {
    return reinterpret_cast<const levin_data*>(detail::data_table<detail::Holder<D, detail::DataExtra>>());
  }

 private:
  detail::Holder<D, detail::DataExtra> holder_;
};

// H: how the instance is held.
template <class T, class H = detail::Holder<T, detail::DataExtra>>
levin_component data_module(const char* id, const char* summary) {
  levin_component c{};
  if constexpr (!std::is_base_of_v<DataModule, T>) {
    static_assert(std::is_base_of_v<DataModule, T>, "a data module derives from levin::DataModule");
  } else if constexpr (!detail::is_publicly<T, DataModule>) {
    LEVIN_DEMAND_PUBLIC(T, DataModule, "levin::DataModule");
  } else if constexpr (!detail::component_is_sound<T>()) {
    detail::demand_component<T>();
  } else if constexpr (detail::data_is_sound<T>()) {
    c = detail::component_of<T>(LEVIN_KIND_DATA, id, summary);
    if constexpr (detail::has_concurrent<T>::value) c.flags |= T::concurrent ? LEVIN_F_CONCURRENT : 0u;
    c.create = &detail::create<H, &detail::data_table<H>>;
  } else {
    detail::demand_data<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
