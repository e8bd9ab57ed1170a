// Data modules: derive from levin::DataModule and declare
//   std::vector<levin::Field> fields();                    what a row is made of; the same in every split
//   int64_t rows(levin::Split);                            after setup; 0: no such split; -1: unknown (a stream)
// and one of
//   void get(levin::Split, int64_t index, levin::Row&);    one row
//   void get(levin::Split, int64_t index, levin::Sample&); one row whose fields differ in shape from row to row
//   void fill(const levin::Fill&, const levin_view* out);  many rows into the host's row-major buffers, a view a field
//   void batch(const levin::Fill&, std::vector<levin_managed*>&);    many rows as levin::managed tensors, one a field
//   void resident(levin::Split, std::vector<levin_managed*>&);       all rows, once; the host gathers batches itself
//   bool next(const levin::Fill&, std::vector<levin_managed*>&);     the next batch of a stream, of about Fill::n rows;
//                                                                    false: the epoch ends
//   bool next(levin::Split, std::vector<levin_managed*>&);           the same, of a size that the module chooses
// A get may take a `const levin::Draw&` after the row, from which augmentation draws its random numbers. Rows of a get
// that takes levin::Sample are padded to the longest of their batch, unless there is
//   void collate(const std::vector<levin::Sample>& rows, std::vector<levin_managed*>& batch);
// With int64_t loaders(levin::Split), a split has several loaders: rows, get, resident, next and rewind then take
// the loader's index after the split; in levin::Fill it is a member. Also
//   void dataloader(levin::LoaderPlan&);                   how one loader is made: its sampler, batch size
//   std::string row_name(levin::Split, int64_t index);     by what people know the row, for predictions.csv: its file
//   void run_dir(const std::string& path);                 before prepare_data: the run's folder, for files of its own
//   const char* combined_mode(levin::Split);               "max_size_cycle", "min_size", "max_size", "sequential"
// and, where wanted, prepare_data() (once, in one process), setup(levin::Stage), teardown(levin::Stage),
// rewind(const levin::Fill&) or rewind(levin::Split, int64_t epoch) for streams, save/load, hooks.
// get, fill and batch must be pure: a row depends on (split, index) and, for augmentation, on epoch and seed.
// `static constexpr bool state_before_setup = true`: evaluations with a checkpoint call load before setup, too.
// `static constexpr bool concurrent = true` says that they may run on several threads at once.
#pragma once
#include <utility>

#include "levin/callback.hpp"
#include "levin/detail/data_table.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

class DataModule : public Object {};

// The data of a model that brings its own, so that no --data is needed. It is a member `levin::OwnData<D> own_data;` of
// the model and made from the arguments of D's constructor. D is a class as for data_module(). The model owns it.
template <class D>
class OwnData {
 public:
  using Data = D;
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
    c.create = &detail::create<detail::Holder<T, detail::DataExtra>, &detail::data_table<T>>;
  } else {
    detail::demand_data<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
