#include "core/data/loader_set.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/data/bucket_sampler.hpp"
#include "core/data/limits.hpp"
#include "core/data/loader_checks.hpp"

namespace levin::core {

LoaderSet::LoaderSet(const DataModule& data, const LoaderDefaults& options, const RunPlan& plan, uint64_t seed,
                     const Share& share)
    : data_(data), options_(options), plan_(plan), seed_(seed), share_(share) {}

void LoaderSet::reload(uint32_t split) {
  data_.forget_fields(split);
  made_[split].clear();
  is_made_[split] = false;
  mode_[split].reset();
}

const Limit& LoaderSet::limit(uint32_t split) const {
  const Limit* limits[LEVIN_SPLITS] = {&plan_.limits.train, &plan_.limits.val, &plan_.limits.test,
                                       &plan_.limits.predict};
  return *limits[split];
}

// With trainer.overfit_batches every epoch has the same batches in the same order.
void LoaderSet::turn_shuffling_off(levin_loader& request) {
  const bool subset = request.sampler == LEVIN_SAMPLER_SUBSET;
  const bool changes = request.shuffle || (request.sampler != LEVIN_SAMPLER_DEFAULT &&
                                           request.sampler != LEVIN_SAMPLER_SEQUENTIAL && !subset);
  if (!subset) request.sampler = LEVIN_SAMPLER_SEQUENTIAL;
  request.shuffle = 0;
  if (!changes || !warn_ || std::exchange(warned_of_order_, true)) return;
  warn_(std::string("trainer.overfit_batches turns shuffling and samplers off for the split ") +
        split_name(request.split));
}

// With such a batch size all rows are in one batch, so that an epoch is one step.
void LoaderSet::warn_of_large_batch(const SplitInfo& info, int64_t batch_size) {
  const int64_t rows = (info.rows + share_.world_size - 1) / share_.world_size;
  if (info.rows <= 0 || batch_size <= rows || !warn_ || std::exchange(warned_of_batch_, true)) return;
  warn_("the batch size " + std::to_string(batch_size) + " is larger than the " + std::to_string(rows) +
        " training rows" + (share_.world_size > 1 ? " of each rank" : "") +
        ": an epoch has one batch; set a smaller --data.batch_size");
}

bool LoaderSet::has_only_streams() const {
  for (uint32_t split = 0; split < LEVIN_SPLITS; ++split)
    for (uint32_t loader = 0; loader < data_.loaders(split); ++loader) {
      const auto info = data_.describe(split, loader);
      if (info && info->rows != 0 && !comes_as_stream(data_, *info)) return false;
    }
  return true;
}

std::unique_ptr<Sampler> LoaderSet::sampler_of(const LoaderPlace& place, const levin_loader& request) const {
  try {
    return make_sampler(request, place.info.rows, seed_);
  } catch (const Error& e) {
    throw place.error(e.code(), "dataloader", place.text() + ": " + e.what());
  }
}

// With data.bucket_by_length, returns a sampler whose batches have rows of similar length.
std::unique_ptr<Sampler> LoaderSet::bucketed(const LoaderPlace& place, int64_t batch_size,
                                             std::unique_ptr<Sampler> rows) const {
  if (!options_.bucket_by_length || place.split != LEVIN_TRAIN || plan_.limits.overfit_batches > 0) return rows;
  const int64_t n = place.info.rows;
  auto lengths = place.info.ragged() ? data_.row_lengths(place.split, place.loader, n) : std::nullopt;
  check_buckets(place, options_, lengths.has_value());
  if (!lengths || !options_.shuffle) return rows;
  const int64_t of_all = std::clamp<int64_t>(rows->length(n), 1, batch_size) * share_.world_size;
  return std::make_unique<BucketSampler>(std::move(rows), std::move(*lengths), of_all, seed_);
}

// Every validation of a fit has the same epoch, so that it has the same batches.
std::optional<int64_t> LoaderSet::epoch_after(uint32_t split, int64_t epoch) const {
  const int64_t epochs = plan_.duration.max_epochs;
  if (split == LEVIN_TRAIN && (epochs < 0 || epoch + 1 < epochs)) return epoch + 1;
  if (split == LEVIN_VAL && is_made_[LEVIN_TRAIN]) return epoch;
  return std::nullopt;
}

std::unique_ptr<Loader> LoaderSet::make_loader(uint32_t split, uint32_t loader, SplitInfo info) {
  const bool training = split == LEVIN_TRAIN, stream = comes_as_stream(data_, info);
  levin_loader request{};
  request.size = sizeof request;
  request.split = split;
  request.loader = loader;
  request.epoch = epoch_;
  request.batch_size = training ? options_.batch_size : options_.eval_batch_size;
  request.shuffle = training && !stream && options_.shuffle;
  request.drop_last = training && !stream && options_.drop_last;
  data_.dataloader(request);
  if (stream) check_stream_options({data_, split, loader, info}, request, options_, has_only_streams());
  if (plan_.limits.overfit_batches > 0 && !stream && split <= LEVIN_VAL) turn_shuffling_off(request);
  if (request.batch_size < (stream ? 0 : 1))
    throw LoaderPlace{data_, split, loader, info}.error(
        ErrorCode::plugin_answer_invalid, "dataloader",
        "set a batch size of " + std::to_string(request.batch_size) + "; it has to be at least 1");
  if (training && !stream && !request.drop_last) warn_of_large_batch(info, request.batch_size);
  LoaderOptions options;
  options.batch_size = request.batch_size;
  options.batch_size_given = options_.given.count(training ? "batch_size" : "eval_batch_size") > 0;
  options.shuffle = request.shuffle != 0;
  options.drop_last = request.drop_last != 0;
  options.num_workers = options_.num_workers;
  options.cores = at::get_num_threads();
  options.prefetch_factor = options_.prefetch_factor;
  if (data_.loaders(split) == 1) options.next_epoch = [this, split](int64_t e) { return epoch_after(split, e); };
  options.pin_memory = options_.pin_memory.value_or(false);
  options.move_bytes = options_.move_bytes;
  options.seed = seed_;
  options.share = share_;
  // Without padding each row is evaluated once.
  const bool padded = plan_.processes.pad_evaluation && !training && split != LEVIN_PREDICT;
  if (padded && stream) check_padding({data_, split, loader, info}, share_);
  options.share.repeat = training || padded;
  if (info.rows >= 0 && !stream) {
    const LoaderPlace place{data_, split, loader, info};
    options.sampler = bucketed(place, request.batch_size, sampler_of(place, request));
  }
  return std::make_unique<Loader>(data_, split, loader, std::move(info), options);
}

void LoaderSet::make(uint32_t split) {
  is_made_[split] = true;
  made_in_epoch_[split] = epoch_;
  if (on_make_) on_make_(split);
  for (uint32_t loader = 0; loader < data_.loaders(split); ++loader) {
    auto info = data_.describe(split, loader);
    if (info) made_[split].push_back(make_loader(split, loader, std::move(*info)));
  }
  if (split == LEVIN_PREDICT && made_[split].size() > 1 && mode(split) != CombinedMode::sequential)
    throw Error(ErrorCode::option_unsupported,
                data_.plugin() + ": predictions run one loader after another, so combined_mode has to be 'sequential'");
  check_cycle(data_, split, mode(split), made_[split]);
}

bool LoaderSet::exists(uint32_t split) const {
  if (is_made_[split]) return !made_[split].empty();
  for (uint32_t loader = 0; loader < data_.loaders(split); ++loader)
    if (data_.describe(split, loader)) return true;
  return false;
}

CombinedMode LoaderSet::mode(uint32_t split) {
  if (mode_[split]) return *mode_[split];
  const CombinedMode usual = split == LEVIN_TRAIN ? plan_.data.multiple_trainloader_mode : CombinedMode::sequential;
  const std::string mode = data_.combined_mode(split);
  mode_[split] = mode.empty() ? usual : combined_mode_from(mode);
  return *mode_[split];
}

std::vector<std::unique_ptr<Loader>>& LoaderSet::get(uint32_t split) {
  if (!is_made_[split]) make(split);
  return made_[split];
}

void LoaderSet::set_batch_size(int64_t rows) {
  if (rows < 1)
    throw Error(ErrorCode::option_value_invalid, "a batch has at least one row, not " + std::to_string(rows));
  if (rows == batch_size()) return;
  options_.batch_size = rows;
  options_.given.insert("batch_size");
  warned_of_batch_ = true;  // a search for the largest batch that fits may try larger ones
  reload(LEVIN_TRAIN);
}

int64_t LoaderSet::num_workers() const {
  if (options_.num_workers) return *options_.num_workers;
  return made_[LEVIN_TRAIN].empty() ? 0 : made_[LEVIN_TRAIN][0]->workers();
}

void LoaderSet::set_num_workers(int64_t workers) {
  if (workers == num_workers()) return;
  options_.num_workers = workers;
  for (uint32_t split = 0; split < LEVIN_SPLITS; ++split)
    if (is_made_[split]) reload(split);
}

int64_t LoaderSet::rows(uint32_t split) {
  int64_t total = 0;
  for (const auto& loader : get(split)) {
    if (loader->info().rows < 0) return -1;
    total += loader->info().rows;
  }
  return total;
}

int64_t LoaderSet::most_of(uint32_t split, size_t loader) {
  if (limit(split).off()) return 0;
  return limit_batches(get(split)[loader]->most(), limit(split),
                       std::string("limit_") + split_name(split) + "_batches");
}

// A limit is the same number of batches in all processes; a process may have one batch less.
int64_t LoaderSet::batches(uint32_t split, size_t loader) {
  const int64_t most = most_of(split, loader);
  const auto size = get(split)[loader]->size();
  return size ? std::min(most, *size) : most;
}

std::vector<int64_t> LoaderSet::limits(uint32_t split) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < get(split).size(); ++i) out.push_back(batches(split, i));
  return out;
}

std::vector<int64_t> LoaderSet::most_limits(uint32_t split) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < get(split).size(); ++i) out.push_back(most_of(split, i));
  return out;
}

bool LoaderSet::has_stream(uint32_t split) {
  const auto& all = get(split);
  return std::any_of(all.begin(), all.end(), [](const auto& loader) { return loader->is_stream(); });
}

std::string LoaderSet::why_empty(uint32_t split) {
  const std::string split_text = data_.plugin() + ": " + data_.instance() + ": split " + split_name(split);
  if (limit(split).off()) return split_text + ": the limit is 0 batches";
  for (const auto& loader : get(split))
    if (!loader->size()) return split_text + ": the stream ended before its first batch";
  const int64_t n = rows(split);
  return split_text + (n == 0 ? " has no rows"
                              : " has " + std::to_string(n) + (n == 1 ? " row" : " rows") +
                                    ", too few for a batch, and drop_last drops smaller batches");
}

int64_t LoaderSet::total_batches(uint32_t split) { return limit(split).off() ? 0 : combined(split, limits(split)); }

int64_t LoaderSet::most_batches(uint32_t split) { return limit(split).off() ? 0 : combined(split, most_limits(split)); }

int64_t LoaderSet::combined(uint32_t split, const std::vector<int64_t>& limits) {
  std::vector<std::optional<int64_t>> lengths;
  for (const int64_t n : limits) lengths.push_back(n == unlimited ? std::nullopt : std::optional<int64_t>(n));
  return combined_length(mode(split), lengths).value_or(unlimited);
}

}  // namespace levin::core
