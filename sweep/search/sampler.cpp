#include "sweep/search/sampler.hpp"

#include "sweep/search/grid_sampler.hpp"
#include "sweep/search/random_numbers.hpp"
#include "sweep/search/random_sampler.hpp"
#include "sweep/search/tpe_sampler.hpp"

namespace levin::core::sweep {

Assignment random_values(const std::vector<Parameter>& parameters, uint64_t seed, uint64_t number) {
  RandomNumbers random(seed, number);
  Assignment out;
  for (const Parameter& parameter : parameters) {
    if (parameter.kind == ParameterKind::choice) {
      out.push_back(static_cast<double>(random.below(parameter.choices.size())));
      continue;
    }
    const Scale scale = scale_of(parameter);
    out.push_back(from_scale(parameter, scale.low + (scale.high - scale.low) * random.unit()));
  }
  return out;
}

std::unique_ptr<Sampler> make_sampler(SamplerKind kind, const std::vector<Parameter>& parameters, uint64_t seed) {
  switch (kind) {
    case SamplerKind::grid:
      return std::make_unique<GridSampler>(parameters);
    case SamplerKind::random:
      return std::make_unique<RandomSampler>(parameters, seed);
    case SamplerKind::tpe:
      break;
  }
  return std::make_unique<TpeSampler>(parameters, seed);
}

}  // namespace levin::core::sweep
