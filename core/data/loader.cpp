#include "core/data/loader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/data/loader_checks.hpp"

namespace levin::core {
namespace {

constexpr int64_t no_end = std::numeric_limits<int64_t>::max();

std::shared_ptr<const Sampler> sampler_of(const LoaderOptions& options) {
  if (options.sampler) return options.sampler;
  if (options.shuffle) return std::make_shared<RandomSampler>(options.seed);
  return std::make_shared<SequentialSampler>();
}

}  // namespace

Loader::Loader(const DataModule& data, uint32_t split, uint32_t loader, SplitInfo info, const LoaderOptions& options)
    : info_(std::move(info)),
      scales_(options.move_bytes && are_filled(data, info_) ? byte_scales_of(data, info_.fields) : nullptr),
      moved_(with_bytes(info_, scales_.get())),
      place_{data, split, loader, moved_},
      options_(options),
      sampler_(sampler_of(options)) {
  for (const FieldInfo& f : info_.fields) names_.push_back(f.name.c_str());
  const int64_t rows = comes_as_stream(data, info_) ? options_.batch_size : rows_in_epoch();
  const int64_t capacity = std::min(options_.batch_size, rows);
  check_batch_memory(place_, capacity);
  if (!comes_as_stream(data, info_)) check_order_memory(place_, rows);
  source_ = make_row_source(place_);
  capacity_ = capacity;
  // A data module that takes one call at a time may draw from a generator of its own, so it gets a worker only if the
  // user asks for one.
  if (!options_.num_workers && source_->concurrent() && !source_->is_stream() && rows > 0) cost_.emplace();
  const int64_t wanted = options_.num_workers.value_or(0);
  const int64_t workers = source_->is_stream() ? 0 : source_->concurrent() ? wanted : std::min<int64_t>(wanted, 1);
  if (workers > 0) {
    start_workers(workers);
    return;
  }
  // For the current batch, for the previous one, and, for streams, for the next one, which is needed to detect the last
  // batch.
  for (size_t i = 0; i < 3; ++i)
    slots_.push_back(std::make_unique<BatchSlot>(moved_.fields, capacity, options_.pin_memory));
}

void Loader::start_workers(int64_t n) {
  const auto slots = static_cast<size_t>(n * std::max<int64_t>(options_.prefetch_factor, 1) + 1);
  std::vector<BatchSlot*> pointers;
  for (size_t i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<BatchSlot>(moved_.fields, capacity_, options_.pin_memory));
    pointers.push_back(slots_.back().get());
  }
  workers_ = std::make_unique<WorkerPool>(
      static_cast<size_t>(n), pointers, [this](int64_t number, BatchSlot& slot) { return fill(number - base_, slot); });
}

std::optional<int64_t> Loader::size_of(const Share& share) const {
  if (info_.rows < 0 || options_.batch_size == 0) return std::nullopt;
  const auto batches = [this](int64_t rows) {
    if (options_.drop_last || rows == 0) return rows / options_.batch_size;
    return (rows - 1) / options_.batch_size + 1;
  };
  if (!comes_as_stream(place_.data, info_)) return batches(share_size(sampler_->length(info_.rows), share));
  return stream_share(batches(info_.rows), share);
}

std::optional<int64_t> Loader::most() const {
  Share first = options_.share;
  first.rank = 0;
  return size_of(first);
}

std::optional<int64_t> Loader::least() const {
  Share last = options_.share;
  last.rank = last.world_size - 1;
  return size_of(last);
}

int64_t Loader::rows_in_epoch() const {
  if (comes_as_stream(place_.data, info_)) return info_.rows;
  return share_size(sampler_->length(info_.rows), options_.share);
}

int64_t Loader::rows_of(int64_t number) const {
  return std::min(options_.batch_size, rows_in_epoch() - number * options_.batch_size);
}

// Returns true if the workers fill the batches of this epoch already.
bool Loader::goes_on_with(int64_t epoch, int64_t first, int64_t end) {
  if (!std::exchange(ahead_, false) || epoch != epoch_ || first != 0 || end < end_) return false;
  if (end > end_) workers_->extend(base_ + end);
  return true;
}

// While the last batch of the epoch is in use, the workers fill the first batches of the next one. The workers are idle
// here, because all batches of this epoch have been taken.
void Loader::go_ahead() {
  if (!options_.next_epoch || !source_->concurrent()) return;
  const std::optional<int64_t> next = options_.next_epoch(epoch_);
  if (!next) return;
  base_ += end_;
  order_epoch(*next);
  ahead_ = true;
  workers_->extend(base_ + end_);
}

void Loader::order_epoch(int64_t epoch) {
  epoch_ = epoch;
  if (ordered_epoch_ == epoch && !order_.empty()) return;
  sampler_->order(info_.rows, epoch, order_);
  take_share(order_, options_.share);
  ordered_epoch_ = epoch;
}

void Loader::begin_epoch(int64_t epoch, int64_t first, int64_t limit) {
  const int64_t end = std::min(size().value_or(no_end), limit < 0 ? no_end : limit);
  handed_out_.reset();
  if (goes_on_with(epoch, first, end)) {
    next_batch_ = 0;
    end_ = end;
    return;
  }
  end_epoch();
  if (source_->is_stream() && !source_->rewinds()) finish_turn();
  epoch_ = epoch;
  next_batch_ = first;
  end_ = end;
  base_ = 0;
  if (source_->is_stream()) {
    source_->rewind(fetch_of(0));
    streamed_ = 0;
  } else {
    order_epoch(epoch);
  }
  if (workers_) workers_->start_epoch(first, end_);
}

Fetch Loader::fetch_of(int64_t number) const {
  Fetch fetch;
  fetch.epoch = epoch_;
  fetch.seed = options_.seed;
  fetch.at_most = options_.batch_size_given;
  fetch.rows = options_.batch_size;
  if (source_->is_stream()) return fetch;
  fetch.indices = order_.data() + number * options_.batch_size;
  fetch.rows = rows_of(number);
  return fetch;
}

// The processes take the batches of a stream in turns: each process reads all batches and skips those of the others,
// and those before the point of resumption.
bool Loader::fetch(int64_t number, BatchSlot& slot) {
  const Share& share = options_.share;
  if (!source_->is_stream()) return source_->fetch(fetch_of(number), slot);
  return stream_to(number * share.world_size + share.rank + 1, slot);
}

// Reads batches of the stream until `batches` were read in this epoch; the slot holds the last one. Returns false at
// the stream's end; reading then starts again with its first batch.
bool Loader::stream_to(int64_t batches, BatchSlot& slot) {
  for (; streamed_ < batches; ++streamed_)
    if (!source_->fetch(fetch_of(0), slot)) {
      streamed_ = 0;
      return false;
    }
  return true;
}

// A stream that cannot be rewound continues at its current place, which must be the same in all processes: behind the
// last process's batch of this turn.
void Loader::finish_turn() {
  const int64_t processes = options_.share.world_size;
  if (streamed_ % processes == 0) return;
  stream_to((streamed_ / processes + 1) * processes, *slots_[turn_++ % slots_.size()]);
}

bool Loader::fill(int64_t number, BatchSlot& slot) {
  if (!fetch(number, slot)) return false;
  if (BorderWatch* watch = border_watch()) watch_values(*watch, slot.batch());
  slot.batch().scales = scales_;
  slot.batch().publish(names_);
  return true;
}

void Loader::watch_values(BorderWatch& watch, const Batch& batch) const {
  const DataModule& data = place_.data;
  const Breadcrumb here{data.plugin().c_str(), source_->call(), data.instance().c_str()};
  const int64_t* indices = batch.sample_ids.empty() ? nullptr : batch.sample_ids.data();
  for (size_t i = 0; i < batch.tensors.size() && i < names_.size(); ++i)
    watch.value(here, std::string("field '") + names_[i] + "'", batch.tensors[i], indices);
}

Batch Loader::rows(const std::vector<int64_t>& indices, int64_t epoch) {
  const auto n = static_cast<int64_t>(indices.size());
  for (const int64_t i : indices)
    if (i < 0 || i >= info_.rows)
      throw Error(ErrorCode::call_invalid, place_.text() + " has no row " + std::to_string(i) + ": it has " +
                                               std::to_string(info_.rows) + " rows, numbered from 0");
  const LoaderPlace place{place_.data, place_.split, place_.loader, info_};
  check_batch_memory(place, n);
  BatchSlot slot(info_.fields, n, false);
  const std::unique_ptr<RowSource> of_numbers = scales_ ? make_row_source(place) : nullptr;
  (of_numbers ? *of_numbers : *source_).fetch({indices.data(), n, epoch, options_.seed, false}, slot);
  if (BorderWatch* watch = border_watch()) watch_values(*watch, slot.batch());
  Batch batch;
  batch.tensors = slot.batch().tensors;
  batch.sample_ids = slot.batch().sample_ids;
  batch.publish(names_);
  return batch;
}

Batch* Loader::next() {
  if (next_batch_ >= end_ || ahead_) return nullptr;
  BatchSlot* slot = workers_ ? workers_->next() : fill_here();
  if (!slot) {
    end_ = next_batch_;
    return nullptr;
  }
  ++next_batch_;
  if (cost_) choose_workers();
  if (workers_ && next_batch_ == end_) go_ahead();
  return &slot->batch();
}

BatchSlot* Loader::fill_here() {
  BatchSlot* slot = slots_[turn_++ % slots_.size()].get();
  const Clock::time_point begun = Clock::now();
  if (!fill(next_batch_, *slot)) return nullptr;
  if (!cost_) return slot;
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  const Clock::time_point now = Clock::now();
  if (handed_out_) cost_->add(seconds(now - begun), seconds(begun - *handed_out_));
  handed_out_ = now;
  return slot;
}

void Loader::choose_workers() {
  const std::optional<int64_t> workers = cost_->workers(options_.cores);
  if (!workers) return;
  cost_.reset();
  if (*workers == 0) return;
  start_workers(*workers);
  workers_->start_epoch(next_batch_, end_);
}

void Loader::end_epoch() {
  if (workers_) workers_->stop_epoch();
}

}  // namespace levin::core
