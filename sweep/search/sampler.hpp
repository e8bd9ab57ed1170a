// Suggests the values of the next trial.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/enum_names.hpp"
#include "sweep/space/parameter.hpp"

namespace levin::core {
namespace sweep {

enum class SamplerKind { grid, random, tpe };

// What is known of a trial that was started.
struct Observation {
  Assignment values;
  std::optional<double> loss;  // smaller is better; nullopt = running or failed
  int64_t epochs = 0;          // after how many epochs, if trials are stopped early; more count before fewer
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  // number: of the trial, from 0. Returns nullopt if there are no more values to try.
  virtual std::optional<Assignment> next(uint64_t number, const std::vector<Observation>& seen) = 0;
};

// Throws Error{usage} if a parameter has no finite list of values and the sampler is a grid.
std::unique_ptr<Sampler> make_sampler(SamplerKind kind, const std::vector<Parameter>& parameters, uint64_t seed);

// Returns the number of combinations. Throws Error{usage} as above, and if there are too many.
uint64_t grid_size(const std::vector<Parameter>& parameters);

Assignment random_values(const std::vector<Parameter>& parameters, uint64_t seed, uint64_t number);

// The range of a parameter as a sampler sees it: the logarithm for a logarithmic scale, and half a step more on both
// sides for steps. Not for choices.
struct Scale {
  double low = 0, high = 0, step = 0;
};
Scale scale_of(const Parameter& parameter);
double to_scale(const Parameter& parameter, double value);
double from_scale(const Parameter& parameter, double value);  // returns a possible value

}  // namespace sweep
template <>
inline constexpr auto enum_names<sweep::SamplerKind> = std::array{"grid", "random", "tpe"};
}  // namespace levin::core
