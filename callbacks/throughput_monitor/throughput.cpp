#include "throughput.hpp"

#include <algorithm>

#include "levin/error.hpp"

namespace levin::throughput_monitor {

Throughput::Throughput(ThroughputOptions options) : options_(std::move(options)) {
  if (options_.window_size < 2) throw Error(LEVIN_E_INVALID, "window_size has to be at least 2, to have a difference");
  if (options_.world_size < 1) throw Error(LEVIN_E_INVALID, "world_size has to be at least 1");
}

void Throughput::update(const Totals& t) {
  if (t.samples < t.batches) throw Error(LEVIN_E_INVALID, "there are fewer samples than batches");
  if (t.lengths && *t.lengths < t.samples) throw Error(LEVIN_E_INVALID, "lengths sum up to less than one a sample");
  if (!window_.empty()) {
    const Totals& last = window_.back();
    const bool back = t.time <= last.time || t.batches <= last.batches || t.samples <= last.samples ||
                      (t.lengths && last.lengths && *t.lengths <= *last.lengths);
    if (back) throw Error(LEVIN_E_INVALID, "time, batches, samples and lengths are totals: they can only grow");
    if (t.lengths.has_value() != last.lengths.has_value())
      throw Error(LEVIN_E_INVALID, "lengths are told for every batch or for none");
  }
  window_.push_back(t);
  if (window_.size() > options_.window_size) window_.pop_front();
  if (!t.flops_per_batch) return;
  flops_.push_back(*t.flops_per_batch * static_cast<double>(options_.world_size));
  if (flops_.size() > options_.window_size) flops_.pop_front();
}

void Throughput::add_rates(Rates& out) const {
  const Totals &first = window_.front(), &last = window_.back();
  const double seconds = last.time - first.time, world = static_cast<double>(options_.world_size);
  const double batches = static_cast<double>(last.batches - first.batches);
  const double samples = static_cast<double>(last.samples - first.samples);
  const std::string device = "device" + options_.separator;
  out.emplace_back(device + "batches_per_sec", batches / seconds);
  out.emplace_back(device + "samples_per_sec", samples / seconds);
  if (options_.world_size > 1) {
    out.emplace_back("batches_per_sec", batches / seconds * world);
    out.emplace_back("samples_per_sec", samples / seconds * world);
  }
  if (!last.lengths) return;
  const double items = static_cast<double>(*last.lengths - *first.lengths);
  if (options_.world_size > 1) out.emplace_back("items_per_sec", items / seconds * world);
  out.emplace_back(device + "items_per_sec", items / seconds);
}

void Throughput::add_flops(Rates& out) const {
  double sum = -flops_.front();
  for (const double f : flops_) sum += f;
  const double all = sum / (window_.back().time - window_.front().time);
  const double device = all / static_cast<double>(options_.world_size);
  if (options_.world_size > 1) out.emplace_back("flops_per_sec", all);
  out.emplace_back("device" + options_.separator + "flops_per_sec", device);
  if (options_.available_flops)
    out.emplace_back("device" + options_.separator + "mfu", device / *options_.available_flops);
}

Rates Throughput::compute() const {
  Rates out;
  if (window_.empty()) return out;
  const Totals& last = window_.back();
  out.emplace_back("time", last.time);
  out.emplace_back("batches", static_cast<double>(last.batches));
  out.emplace_back("samples", static_cast<double>(last.samples));
  if (last.lengths) out.emplace_back("lengths", static_cast<double>(*last.lengths));
  if (full()) add_rates(out);
  if (flops_.size() == options_.window_size) add_flops(out);
  return out;
}

}  // namespace levin::throughput_monitor
