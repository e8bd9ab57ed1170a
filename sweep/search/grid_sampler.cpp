#include "sweep/search/grid_sampler.hpp"

#include "core/base/error.hpp"

namespace levin::core::sweep {
namespace {

constexpr uint64_t most_combinations = 1000000;

}  // namespace

GridSampler::GridSampler(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters) {
    const auto values = parameter.all_values();
    if (!values)
      throw Error(ErrorCode::search_space_invalid,
                  "--param " + parameter.option + "=" + parameter.text +
                      ": a grid needs listed values or steps; use --sampler random or tpe");
    size_ *= values->size();
    if (size_ > most_combinations)
      throw Error(ErrorCode::search_space_invalid, "the grid has more than 1000000 combinations");
    values_.push_back(*values);
  }
}

std::optional<Assignment> GridSampler::next(uint64_t number, const std::vector<Observation>&) {
  if (number >= size_) return std::nullopt;
  Assignment out(values_.size());
  for (size_t i = values_.size(); i-- > 0; number /= values_[i].size()) out[i] = values_[i][number % values_[i].size()];
  return out;
}

uint64_t grid_size(const std::vector<Parameter>& parameters) { return GridSampler(parameters).size(); }

}  // namespace levin::core::sweep
