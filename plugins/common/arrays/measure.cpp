#include "measure.hpp"

#include <algorithm>
#include <cmath>

#include "levin/error.hpp"

namespace arrays {

void measure(const Array& inputs, const std::vector<uint32_t>& rows, double& mean, double& deviation) {
  if (!std::isnan(mean) && !std::isnan(deviation)) return;
  std::vector<double> row(static_cast<size_t>(inputs.row_size()));
  double origin = 0, sum = 0, squares = 0;  // differences to the first element keep their digits
  for (size_t i = 0; i < rows.size(); ++i) {
    inputs.read(rows[i], row.data());
    if (i == 0) origin = row[0];
    for (const double value : row) sum += value - origin, squares += (value - origin) * (value - origin);
  }
  const double n = static_cast<double>(rows.size()) * static_cast<double>(row.size()), shift = sum / n;
  if (!std::isfinite(squares))
    throw levin::Error(LEVIN_E_IO, inputs.name() + " has NaN or infinite elements, and so no mean and deviation");
  if (std::isnan(mean)) mean = origin + shift;
  if (std::isnan(deviation)) deviation = std::max(1e-30, std::sqrt(std::max(0.0, squares / n - shift * shift)));
}

}  // namespace arrays
