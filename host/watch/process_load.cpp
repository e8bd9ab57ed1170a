#include "host/watch/process_load.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/base/machine.hpp"
#include "sdk/include/levin/util/clock.hpp"
#include "sdk/include/levin/util/text.hpp"

namespace levin::core::watch {
namespace {

// The processor time of the process in seconds; -1 = it has ended.
double cpu_seconds(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t name = text.rfind(')');
  if (name == std::string::npos) return -1;
  std::istringstream fields(text.substr(name + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double resident_bytes(const std::string& folder) {
  std::ifstream file(folder + "/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::vector<std::string> ProcessLoad::pieces(pid_t pid, const std::string& device) {
  const std::string folder = "/proc/" + std::to_string(pid);
  const double now = steady_seconds(), cpu = cpu_seconds(folder);
  std::vector<std::string> out = {"run " + gibibytes(resident_bytes(folder))};
  if (cpu >= 0 && cpu_before_ >= 0 && now > time_before_)
    out.push_back(", " + fixed(100 * (cpu - cpu_before_) / (now - time_before_), 0) + " % CPU");
  cpu_before_ = cpu;
  time_before_ = now;
  double load[1] = {0};
  if (::getloadavg(load, 1) == 1)
    out.push_back("; load " + fixed(load[0], 1) + " on " + std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)) + " CPUs");
  if (const size_t slash = device.find('/'); slash != std::string::npos)
    out.push_back("; device memory " + gibibytes(std::strtod(device.c_str(), nullptr)) + " of " +
                  gibibytes(std::strtod(device.c_str() + slash + 1, nullptr)));
  return out;
}

}  // namespace levin::core::watch
