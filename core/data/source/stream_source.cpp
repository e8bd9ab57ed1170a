#include "core/data/source/stream_source.hpp"

#include "core/data/source/label_check.hpp"

namespace levin::core {

bool StreamSource::rewinds() const {
  const levin_data* table = &place_.data.table();
  return LEVIN_HAS(levin_data, table, rewind);
}

void StreamSource::rewind(const Fetch& fetch) {
  const levin_data* table = &place_.data.table();
  if (!rewinds()) return;
  const levin_fill in = fill_arguments(place_, fetch);
  const auto turn = place_.data.turn();
  place_.data.invoke("rewind", [&] { return table->rewind(place_.data.self(), &in); });
}

bool StreamSource::fetch(const Fetch& fetch, BatchSlot& slot) {
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

void StreamSource::check_size(int64_t most, const std::vector<at::Tensor>& tensors) const {
  const int64_t rows = batch_size_of(tensors);
  if (rows <= most) return;
  throw place_.error(ErrorKind::usage, "next",
                     place_.text() + ": a batch of " + std::to_string(rows) + " rows where the option asks for " +
                         std::to_string(most) + ": this stream chooses the sizes of its batches itself; leave --data." +
                         (place_.split == LEVIN_TRAIN ? "batch_size" : "eval_batch_size") + " out");
}

}  // namespace levin::core
