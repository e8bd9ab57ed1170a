// The last values of the columns of a run's metrics.csv.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace levin::core {

// Columns without a number in the last rows are left out; of a long file the last MiB is read. A missing file has no
// columns.
std::map<std::string, double> last_metrics(const std::filesystem::path& file);

}  // namespace levin::core
