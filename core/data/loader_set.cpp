#include "core/data/loader_set.hpp"

#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace levin::core {

const char* split_name(uint32_t split) {
  constexpr const char* names[LEVIN_SPLITS] = {"train", "val", "test", "predict"};
  return names[split];
}

LoaderSet::LoaderSet(const DataModule& data, const nlohmann::json& options, const RunPlan& plan, uint64_t seed)
    : data_(data), options_(options), plan_(plan), seed_(seed) {}

const Limit& LoaderSet::limit(uint32_t split) const {
  const Limit* limits[LEVIN_SPLITS] = {&plan_.limit_train, &plan_.limit_val, &plan_.limit_test, &plan_.limit_predict};
  return *limits[split];
}

void LoaderSet::make(uint32_t split) {
  is_made_[split] = true;
  if (told_) told_(split);
  LoaderOptions o;
  o.batch_size = options_.at("batch_size").get<int64_t>();
  if (split != LEVIN_TRAIN) o.batch_size = options_.at("eval_batch_size").get<int64_t>();
  o.shuffle = split == LEVIN_TRAIN && options_.at("shuffle").get<bool>() && plan_.overfit_batches == 0;
  o.drop_last = split == LEVIN_TRAIN && options_.at("drop_last").get<bool>();
  o.num_workers = options_.at("num_workers").get<int64_t>();
  o.prefetch_factor = options_.at("prefetch_factor").get<int64_t>();
  o.pin_memory = options_.at("pin_memory").get<bool>();
  o.seed = seed_;
  for (uint32_t loader = 0; loader < data_.loaders(split); ++loader) {
    auto info = data_.describe(split, loader);
    if (info) made_[split].push_back(std::make_unique<Loader>(data_, split, loader, std::move(*info), o));
  }
  if (split == LEVIN_TRAIN && made_[split].size() > 1)
    throw Error(ErrorKind::usage, data_.plugin() + " has " + std::to_string(made_[split].size()) +
                                      " train loaders; training on several loaders does not exist yet");
}

bool LoaderSet::exists(uint32_t split) const {
  for (uint32_t loader = 0; loader < data_.loaders(split); ++loader)
    if (data_.describe(split, loader)) return true;
  return false;
}

std::vector<std::unique_ptr<Loader>>& LoaderSet::get(uint32_t split) {
  if (!is_made_[split]) make(split);
  return made_[split];
}

void LoaderSet::set_batch_size(int64_t rows) {
  if (rows < 1) throw Error(ErrorKind::usage, "a batch has at least one row, not " + std::to_string(rows));
  if (rows == batch_size()) return;
  options_["batch_size"] = rows;
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

int64_t LoaderSet::total_batches(uint32_t split) {
  if (limit(split).off()) return 0;
  int64_t total = 0;
  for (size_t i = 0; i < get(split).size(); ++i) {
    const int64_t n = batches(split, i);
    if (n == unlimited) return unlimited;
    total += n;
  }
  return total;
}

}  // namespace levin::core
