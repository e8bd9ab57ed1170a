// The last values of the columns of a run's metrics.csv.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace levin::core {

// Without columns that have no value in the last rows (of a long file the last MiB is read), and without what is no
// number. A missing file has none.
std::map<std::string, double> last_metrics(const std::filesystem::path& file);

}  // namespace levin::core
