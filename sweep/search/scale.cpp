#include <cmath>

#include "sweep/search/sampler.hpp"

namespace levin::core::sweep {

Scale scale_of(const Parameter& parameter) {
  const bool integer = parameter.kind == ParameterKind::integer;
  if (parameter.log && integer) return {std::log(parameter.low - 0.5), std::log(parameter.high + 0.5), 0};
  if (parameter.log) return {std::log(parameter.low), std::log(parameter.high), 0};
  const double last = parameter.nearest_value(parameter.high);
  return {parameter.low - parameter.step / 2, last + parameter.step / 2, parameter.step};
}

double to_scale(const Parameter& parameter, double value) { return parameter.log ? std::log(value) : value; }

double from_scale(const Parameter& parameter, double value) {
  return parameter.nearest_value(parameter.log ? std::exp(value) : value);
}

}  // namespace levin::core::sweep
