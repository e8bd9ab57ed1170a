#include "core/data/row_source.hpp"

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

struct LoaderPlace {
  const DataModule& data;
  uint32_t split, loader;
  const SplitInfo& info;
};

levin_fill fill_arguments(const LoaderPlace& place, const Fetch& fetch) {
  levin_fill in{};
  in.size = sizeof in;
  in.split = place.split;
  in.loader = place.loader;
  in.indices = fetch.indices;
  in.n = fetch.rows;
  in.epoch = fetch.epoch;
  in.seed = fetch.seed;
  return in;
}

// The plugin writes rows into the host's memory.
class FillSource : public RowSource {
 public:
  explicit FillSource(LoaderPlace place) : place_(place) {}
  bool concurrent() const override { return (place_.data.flags() & LEVIN_F_CONCURRENT) != 0; }
  bool fetch(const Fetch& fetch, BatchSlot& slot) override {
    static thread_local std::vector<levin_view> views;
    Batch& batch = slot.prepare(fetch.rows);
    views.clear();
    for (const at::Tensor& t : batch.tensors) {
      views.push_back(view_of(t));
      views.back().strides = nullptr;
    }
    std::copy(fetch.indices, fetch.indices + fetch.rows, batch.sample_ids.begin());
    const levin_fill in = fill_arguments(place_, fetch);
    place_.data.invoke("fill", [&] { return place_.data.table().fill(place_.data.self(), &in, views.data()); });
    return true;
  }

 private:
  LoaderPlace place_;
};

constexpr uint32_t most_fields = 64;

// Calls the plugin by function(out, capacity, n) and takes ownership of the tensors that it returned.
template <class F>
std::vector<at::Tensor> tensors_from(const LoaderPlace& place, const char* call, F&& function,
                                     levin_status* status = nullptr) {
  levin_managed* out[most_fields] = {};
  uint32_t n = 0;
  const levin_status answer = place.data.invoke(call, [&] { return function(out, most_fields, &n); });
  if (status) *status = answer;
  std::vector<at::Tensor> tensors;
  for (uint32_t i = 0; i < n; ++i) tensors.push_back(adopt(out[i]));
  if (answer != LEVIN_STOP && n != place.info.fields.size())
    throw Error(ErrorKind::plugin, place.data.plugin() + ": " + call + " handed over " + std::to_string(n) +
                                       " tensors, and a row has " + std::to_string(place.info.fields.size()) +
                                       " fields");
  return tensors;
}

// The plugin gives a whole split as tensors, and the host gathers the rows of each batch.
class ResidentSource : public RowSource {
 public:
  explicit ResidentSource(LoaderPlace place) : place_(place) {
    whole_ = tensors_from(place_, "resident", [&](levin_managed** out, uint32_t cap, uint32_t* n) {
      return place_.data.table().resident(place_.data.self(), place_.split, place_.loader, out, cap, n);
    });
    for (const at::Tensor& t : whole_)
      if (t.dim() == 0 || t.size(0) != place_.info.rows)
        throw Error(ErrorKind::plugin, place_.data.plugin() + ": resident: the first dimension is not the " +
                                           std::to_string(place_.info.rows) + " rows that were described");
  }
  bool concurrent() const override { return true; }
  bool fetch(const Fetch& fetch, BatchSlot& slot) override {
    const at::NoGradGuard no_grad;
    Batch& batch = slot.prepare(fetch.rows);
    std::copy(fetch.indices, fetch.indices + fetch.rows, batch.sample_ids.begin());
    const at::Tensor index = at::from_blob(batch.sample_ids.data(), {fetch.rows}, at::kLong);
    for (size_t i = 0; i < whole_.size(); ++i) at::index_select_out(batch.tensors[i], whole_[i], 0, index);
    return true;
  }

 private:
  LoaderPlace place_;
  std::vector<at::Tensor> whole_;
};

// The plugin makes the tensors of each batch from the indices of its rows.
class BatchSource : public RowSource {
 public:
  explicit BatchSource(LoaderPlace place) : place_(place) {}
  bool concurrent() const override { return (place_.data.flags() & LEVIN_F_CONCURRENT) != 0; }
  bool fetch(const Fetch& fetch, BatchSlot& slot) override {
    const levin_fill in = fill_arguments(place_, fetch);
    slot.batch().tensors = tensors_from(place_, "batch", [&](levin_managed** out, uint32_t cap, uint32_t* n) {
      return place_.data.table().batch(place_.data.self(), &in, out, cap, n);
    });
    slot.batch().sample_ids.assign(fetch.indices, fetch.indices + fetch.rows);
    return true;
  }

 private:
  LoaderPlace place_;
};

// For a loader without rows: the plugin is never called.
class EmptySource : public RowSource {
 public:
  bool fetch(const Fetch&, BatchSlot&) override { return false; }
};

// The plugin gives one batch after another and decides when the epoch ends.
class StreamSource : public RowSource {
 public:
  explicit StreamSource(LoaderPlace place) : place_(place) {}
  bool is_stream() const override { return true; }
  void rewind(int64_t epoch) override {
    const levin_data& table = place_.data.table();
    wanted_ = {sizeof wanted_, place_.split, place_.loader, 0, nullptr, 0, epoch, 0};
    if (LEVIN_HAS(levin_data, (&table), rewind))
      place_.data.invoke("rewind", [&] { return table.rewind(place_.data.self(), &wanted_); });
  }
  bool fetch(const Fetch&, BatchSlot& slot) override {
    levin_status status = LEVIN_OK;
    auto tensors = tensors_from(
        place_, "next",
        [&](levin_managed** out, uint32_t cap, uint32_t* n) {
          return place_.data.table().next(place_.data.self(), &wanted_, out, cap, n);
        },
        &status);
    if (status == LEVIN_STOP) return false;
    slot.batch().tensors = std::move(tensors);
    slot.batch().sample_ids.clear();
    return true;
  }

 private:
  LoaderPlace place_;
  levin_fill wanted_{};
};

}  // namespace

std::unique_ptr<RowSource> make_row_source(const DataModule& data, uint32_t split, uint32_t loader,
                                           const SplitInfo& info) {
  const LoaderPlace place{data, split, loader, info};
  const levin_data* table = &data.table();
  if (info.rows < 0) {
    if (!LEVIN_HAS(levin_data, table, next))
      throw Error(ErrorKind::plugin, data.plugin() + ": a split of unknown length needs the function 'next'");
    return std::make_unique<StreamSource>(place);
  }
  if (info.rows == 0) return std::make_unique<EmptySource>();
  if (LEVIN_HAS(levin_data, table, resident)) return std::make_unique<ResidentSource>(place);
  if (LEVIN_HAS(levin_data, table, fill)) return std::make_unique<FillSource>(place);
  if (LEVIN_HAS(levin_data, table, batch)) return std::make_unique<BatchSource>(place);
  return std::make_unique<StreamSource>(place);
}

}  // namespace levin::core
