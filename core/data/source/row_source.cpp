#include "core/data/source/row_source.hpp"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>

#include <algorithm>
#include <cstring>

#include "core/abi/tensor_handle.hpp"
#include "core/data/source/guarded_rows.hpp"
#include "core/data/source/label_check.hpp"
#include "core/data/source/tensor_call.hpp"

namespace levin::core {
namespace {

// The plugin writes rows into the host's memory.
class FillSource : public RowSource {
 public:
  explicit FillSource(LoaderPlace place) : place_(place) {}
  const char* call() const override { return "fill"; }
  bool concurrent() const override { return place_.data.concurrent(); }
  bool fetch(const Fetch& fetch, BatchSlot& slot) override {
    Batch& batch = slot.prepare(fetch.rows);
    std::copy(fetch.indices, fetch.indices + fetch.rows, batch.sample_ids.begin());
    if (border_watch())
      fill_watched(fetch, batch);
    else
      fill(fetch, batch);
    check_labels(place_, "fill", batch.tensors, fetch.indices);
    return true;
  }

 private:
  void call(const Fetch& fetch, const levin_view* views) const {
    const levin_fill in = fill_arguments(place_, fetch);
    const auto turn = place_.data.turn();
    place_.data.invoke("fill", [&] { return place_.data.table().fill(place_.data.self(), &in, views); });
  }
  void fill(const Fetch& fetch, const Batch& batch) const {
    static thread_local std::vector<levin_view> views;
    views.clear();
    for (const at::Tensor& t : batch.tensors) {
      views.push_back(view_of(t));
      views.back().strides = nullptr;
    }
    call(fetch, views.data());
  }
  // Fills rows one at a time between guard bytes, so that an error can name the row that was written out of bounds.
  void fill_watched(const Fetch& fetch, const Batch& batch) const {
    std::vector<GuardedRows> rows;
    std::vector<levin_view> views;
    for (const FieldInfo& field : place_.info.fields) rows.emplace_back(field, 1);
    for (GuardedRows& row : rows) views.push_back(row.view());
    Fetch one = fetch;
    one.rows = 1;
    for (int64_t i = 0; i < fetch.rows; ++i) {
      one.indices = fetch.indices + i;
      call(one, views.data());
      for (size_t f = 0; f < rows.size(); ++f) {
        refuse_fault(rows[f], f, *one.indices);
        auto* whole = static_cast<char*>(batch.tensors[f].data_ptr());
        std::memcpy(whole + static_cast<size_t>(i) * rows[f].size(), rows[f].data(), rows[f].size());
      }
    }
  }
  void refuse_fault(const GuardedRows& row, size_t field, int64_t index) const {
    const std::string fault = row.fault();
    if (!fault.empty())
      throw place_.error(ErrorCode::plugin_answer_invalid, "fill",
                         place_.field_text(field) + ": row " + std::to_string(index) + " was written " + fault +
                             ": a row of the field has " + std::to_string(row.size()) + " bytes");
  }

  LoaderPlace place_;
};

// The plugin provides a whole split as tensors, and the host gathers the rows of each batch.
class ResidentSource : public RowSource {
 public:
  explicit ResidentSource(LoaderPlace place) : place_(place) {
    whole_ = TensorCall(place_, "resident")
                 .all(
                     [&](levin_managed** out, uint32_t cap, uint32_t* n) {
                       return place.data.table().resident(place.data.self(), place.split, place.loader, out, cap, n);
                     },
                     place_.info.rows);
    for (size_t f = 0; f < whole_.size(); ++f)
      if (!whole_[f].device().is_cpu())
        throw place_.error(ErrorCode::plugin_answer_invalid, "resident",
                           place_.field_text(f) + ": it is on " + whole_[f].device().str() +
                               "; it has to be in CPU memory, where the host gathers the rows of a batch");
    check_labels(place_, "resident", whole_, nullptr);
  }
  const char* call() const override { return "resident"; }
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
  explicit BatchSource(LoaderPlace place) : place_(place), call_(place, "batch") {}
  const char* call() const override { return "batch"; }
  bool concurrent() const override { return place_.data.concurrent(); }
  bool fetch(const Fetch& fetch, BatchSlot& slot) override {
    const levin_fill in = fill_arguments(place_, fetch);
    slot.batch().tensors =
        call_.all([&](levin_managed** out, uint32_t cap,
                      uint32_t* n) { return place_.data.table().batch(place_.data.self(), &in, out, cap, n); },
                  fetch.rows);
    check_labels(place_, "batch", slot.batch().tensors, fetch.indices);
    slot.batch().sample_ids.assign(fetch.indices, fetch.indices + fetch.rows);
    return true;
  }

 private:
  LoaderPlace place_;
  TensorCall call_;
};

// The plugin provides one batch after another and decides when the epoch ends.
class StreamSource : public RowSource {
 public:
  explicit StreamSource(const LoaderPlace& place) : place_(place), call_(place, "next") {}
  const char* call() const override { return "next"; }
  bool is_stream() const override { return true; }
  bool rewinds() const override {
    const levin_data* table = &place_.data.table();
    return LEVIN_HAS(levin_data, table, rewind);
  }
  void rewind(const Fetch& fetch) override {
    if (!rewinds()) return;
    const levin_fill in = fill_arguments(place_, fetch);
    const auto turn = place_.data.turn();
    place_.data.invoke("rewind", [&] { return place_.data.table().rewind(place_.data.self(), &in); });
  }
  bool fetch(const Fetch& fetch, BatchSlot& slot) override {
    const levin_fill in = fill_arguments(place_, fetch);
    auto tensors = call_([&](levin_managed** out, uint32_t cap,
                             uint32_t* n) { return place_.data.table().next(place_.data.self(), &in, out, cap, n); },
                         -1);
    if (!tensors) return false;
    if (fetch.at_most) check_size(fetch.rows, *tensors);
    check_labels(place_, "next", *tensors, nullptr);
    slot.batch().tensors = std::move(*tensors);
    slot.batch().sample_ids.clear();
    return true;
  }

 private:
  void check_size(int64_t most, const std::vector<at::Tensor>& tensors) const {
    const int64_t rows = batch_size_of(tensors);
    if (rows <= most) return;
    throw place_.error(ErrorCode::batches_do_not_fit, "next",
                       place_.text() + ": a batch has " + std::to_string(rows) + " rows, and the option asks for " +
                           std::to_string(most) + ": this stream chooses the sizes of its batches; leave --data." +
                           (place_.split == LEVIN_TRAIN ? "batch_size" : "eval_batch_size") + " out");
  }

  LoaderPlace place_;
  TensorCall call_;
};

// For a loader without rows; never calls the plugin.
class EmptySource : public RowSource {
 public:
  bool fetch(const Fetch&, BatchSlot&) override { return false; }
};

}  // namespace

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

bool comes_as_stream(const DataModule& data, const SplitInfo& info) {
  const levin_data* table = &data.table();
  const bool by_index = LEVIN_HAS(levin_data, table, resident) || LEVIN_HAS(levin_data, table, fill) ||
                        LEVIN_HAS(levin_data, table, batch);
  return info.rows < 0 || (info.rows > 0 && !by_index);
}

bool are_filled(const DataModule& data, const SplitInfo& info) {
  const levin_data* table = &data.table();
  return info.rows > 0 && !info.ragged() && !LEVIN_HAS(levin_data, table, resident) &&
         LEVIN_HAS(levin_data, table, fill);
}

std::unique_ptr<RowSource> make_row_source(const LoaderPlace& place) {
  const levin_data* table = &place.data.table();
  if (comes_as_stream(place.data, place.info)) {
    if (LEVIN_HAS(levin_data, table, next)) return std::make_unique<StreamSource>(place);
    throw place.error(
        ErrorCode::plugin_answer_invalid, "describe",
        place.text() + ": an unknown number of rows (-1) means a stream, which needs the function 'next'");
  }
  if (place.info.rows == 0) return std::make_unique<EmptySource>();
  if (place.info.ragged()) {
    if (LEVIN_HAS(levin_data, table, batch)) return std::make_unique<BatchSource>(place);
    throw place.error(ErrorCode::plugin_answer_invalid, "describe",
                      place.text() +
                          ": rows differ in shape (-1), so the data module needs the function 'batch' (in C++ a "
                          "get that takes levin::Sample&, or batch)");
  }
  if (LEVIN_HAS(levin_data, table, resident)) return std::make_unique<ResidentSource>(place);
  if (are_filled(place.data, place.info)) return std::make_unique<FillSource>(place);
  return std::make_unique<BatchSource>(place);
}

}  // namespace levin::core
