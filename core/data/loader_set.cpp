#include "core/data/loader_set.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

const char* split_name(uint32_t split) {
  constexpr const char* names[LEVIN_SPLITS] = {"train", "val", "test", "predict"};
  return names[split];
}

LoaderSet::LoaderSet(const DataModule& data, const LoaderDefaults& options, const RunPlan& plan, uint64_t seed)
    : data_(data), options_(options), plan_(plan), seed_(seed) {}

const Limit& LoaderSet::limit(uint32_t split) const {
  const Limit* limits[LEVIN_SPLITS] = {&plan_.limit_train, &plan_.limit_val, &plan_.limit_test, &plan_.limit_predict};
  return *limits[split];
}

// Every epoch has the same batches then.
void LoaderSet::put_in_order(levin_loader& wish) {
  const bool subset = wish.sampler == LEVIN_SAMPLER_SUBSET;
  const bool changes =
      wish.shuffle || (wish.sampler != LEVIN_SAMPLER_DEFAULT && wish.sampler != LEVIN_SAMPLER_SEQUENTIAL && !subset);
  if (!subset) wish.sampler = LEVIN_SAMPLER_SEQUENTIAL;
  wish.shuffle = 0;
  if (!changes || !warn_ || std::exchange(warned_of_order_, true)) return;
  warn_(std::string("trainer.overfit_batches takes the ") + split_name(wish.split) +
        " rows in their order: shuffling and samplers are off");
}

std::unique_ptr<Loader> LoaderSet::make_loader(uint32_t split, uint32_t loader, SplitInfo info) {
  const bool training = split == LEVIN_TRAIN;
  levin_loader wish{};
  wish.size = sizeof wish;
  wish.split = split;
  wish.loader = loader;
  wish.epoch = epoch_;
  wish.batch_size = training ? options_.batch_size : options_.eval_batch_size;
  wish.shuffle = training && options_.shuffle;
  wish.drop_last = training && options_.drop_last;
  data_.dataloader(wish);
  if (plan_.overfit_batches > 0 && split <= LEVIN_VAL) put_in_order(wish);
  if (wish.batch_size < 1)
    throw Error(ErrorKind::plugin, data_.plugin() + ": dataloader set a batch size of " +
                                       std::to_string(wish.batch_size) + "; it has to be at least 1");
  LoaderOptions o;
  o.batch_size = wish.batch_size;
  o.shuffle = wish.shuffle != 0;
  o.drop_last = wish.drop_last != 0;
  o.num_workers = options_.num_workers;
  o.prefetch_factor = options_.prefetch_factor;
  o.pin_memory = options_.pin_memory;
  o.seed = seed_;
  if (info.rows >= 0) o.sampler = make_sampler(wish, info.rows, seed_);
  return std::make_unique<Loader>(data_, split, loader, std::move(info), o);
}

void LoaderSet::make(uint32_t split) {
  is_made_[split] = true;
  made_in_epoch_[split] = epoch_;
  if (told_) told_(split);
  for (uint32_t loader = 0; loader < data_.loaders(split); ++loader) {
    auto info = data_.describe(split, loader);
    if (info) made_[split].push_back(make_loader(split, loader, std::move(*info)));
  }
  if (split == LEVIN_PREDICT && made_[split].size() > 1 && mode(split) != CombinedMode::sequential)
    throw Error(ErrorKind::usage, data_.plugin() +
                                      ": predictions are made loader after loader; combined_mode has to be "
                                      "'sequential' there");
}

bool LoaderSet::exists(uint32_t split) const {
  if (is_made_[split]) return !made_[split].empty();
  for (uint32_t loader = 0; loader < data_.loaders(split); ++loader)
    if (data_.describe(split, loader)) return true;
  return false;
}

CombinedMode LoaderSet::mode(uint32_t split) {
  if (mode_[split]) return *mode_[split];
  const CombinedMode usual = split == LEVIN_TRAIN ? plan_.multiple_trainloader_mode : CombinedMode::sequential;
  const std::string wish = data_.combined_mode(split);
  mode_[split] = wish.empty() ? usual : combined_mode_from(wish);
  return *mode_[split];
}

std::vector<std::unique_ptr<Loader>>& LoaderSet::get(uint32_t split) {
  if (!is_made_[split]) make(split);
  return made_[split];
}

void LoaderSet::set_batch_size(int64_t rows) {
  if (rows < 1) throw Error(ErrorKind::usage, "a batch has at least one row, not " + std::to_string(rows));
  if (rows == batch_size()) return;
  options_.batch_size = rows;
  reload(LEVIN_TRAIN);
}

int64_t LoaderSet::rows(uint32_t split) {
  int64_t total = 0;
  for (const auto& loader : get(split)) {
    if (loader->info().rows < 0) return -1;
    total += loader->info().rows;
  }
  return total;
}

int64_t LoaderSet::batches(uint32_t split, size_t loader) {
  return limit_batches(get(split)[loader]->size(), limit(split),
                       std::string("limit_") + split_name(split) + "_batches");
}

std::vector<int64_t> LoaderSet::limits(uint32_t split) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < get(split).size(); ++i) out.push_back(batches(split, i));
  return out;
}

int64_t LoaderSet::total_batches(uint32_t split) {
  if (limit(split).off()) return 0;
  std::vector<std::optional<int64_t>> lengths;
  for (const int64_t n : limits(split)) lengths.push_back(n == unlimited ? std::nullopt : std::optional<int64_t>(n));
  return combined_length(mode(split), lengths).value_or(unlimited);
}

}  // namespace levin::core
