#include "rounds.hpp"

#include <algorithm>

#include "levin/error.hpp"

namespace levin::autotune {
namespace {

std::vector<double> ratios(const Candidate& base, const Candidate& candidate) {
  std::vector<double> out;
  for (size_t i = 0; i < std::min(base.seconds.size(), candidate.seconds.size()); ++i)
    out.push_back(base.seconds[i] / candidate.seconds[i]);
  return out;
}

void measure_one(Candidate& candidate, bool is_base, const Measure& measure, bool counts) {
  try {
    const double seconds = measure(candidate.value);
    if (counts) candidate.seconds.push_back(seconds);
  } catch (const Error& e) {
    if (is_base) throw;
    candidate.failure = e.what();
    candidate.dropped = true;
  }
}

// The direction changes with each round, so that no value always follows the same one.
void run_round(std::vector<Candidate>& all, const Measure& measure, size_t round, bool counts) {
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t at = round % 2 == 0 ? i : all.size() - 1 - i;
    if (!all[at].dropped) measure_one(all[at], at == 0, measure, counts);
  }
}

void drop_slow(std::vector<Candidate>& all) {
  for (size_t i = 1; i < all.size(); ++i) {
    const std::vector<double> faster = ratios(all[0], all[i]);
    const double best = faster.empty() ? 0 : *std::max_element(faster.begin(), faster.end());
    const bool clear = faster.size() >= 2 && best < 0.9, likely = faster.size() >= 4 && speedup(all[0], all[i]) < 1.02;
    if (clear || likely) all[i].dropped = true;
  }
}

bool is_any_left(const std::vector<Candidate>& all) {
  return std::any_of(all.begin() + 1, all.end(), [](const Candidate& c) { return !c.dropped; });
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double speedup(const Candidate& base, const Candidate& candidate) { return median(ratios(base, candidate)); }

bool wins(const Candidate& base, const Candidate& candidate) {
  const std::vector<double> all = ratios(base, candidate);
  const auto faster = std::count_if(all.begin(), all.end(), [](double ratio) { return ratio > 1; });
  return candidate.failure.empty() && all.size() >= least_rounds && median(all) >= least_gain &&
         4 * static_cast<size_t>(faster) >= 3 * all.size();
}

size_t compare(std::vector<Candidate>& candidates, const Measure& measure, const std::function<bool()>& may_go_on) {
  run_round(candidates, measure, 0, /*counts=*/false);
  for (size_t round = 1; round <= most_rounds && is_any_left(candidates) && may_go_on(); ++round) {
    run_round(candidates, measure, round, /*counts=*/true);
    drop_slow(candidates);
  }
  size_t best = 0;
  double most = 0;
  for (size_t i = 1; i < candidates.size(); ++i) {
    const double gain = speedup(candidates[0], candidates[i]);
    if (wins(candidates[0], candidates[i]) && gain > most) best = i, most = gain;
  }
  return best;
}

}  // namespace levin::autotune
