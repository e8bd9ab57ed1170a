#include "corrupt_images.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "levin/error.hpp"

namespace common {
namespace {

// Several processes write the same lines, each into a temporary file that is then renamed.
std::string write_reasons(const std::vector<std::string>& reasons, const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / "damaged_images.txt";
  std::error_code error;
  if (reasons.empty()) {
    std::filesystem::remove(file, error);
    return file.string();
  }
  const std::string unfinished = file.string() + "." + std::to_string(getpid());
  std::ofstream out(unfinished, std::ios::binary);
  for (const std::string& reason : reasons) out << reason << '\n';
  out.close();
  if (out) std::filesystem::rename(unfinished, file, error);
  if (!out || error) throw levin::Error(LEVIN_E_IO, file.string() + " cannot be written; is the disk full?");
  return file.string();
}

}  // namespace

std::vector<std::string> corruption_of(size_t n, const std::function<void(size_t)>& read) {
  std::vector<std::string> reasons(n);
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < n; i = next++) try {
        read(i);
      } catch (const std::exception& e) {
        reasons[i] = e.what();
      }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min(16u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return reasons;
}

std::string report_corrupt(const std::vector<std::string>& reasons, size_t images, const std::string& run_dir) {
  constexpr size_t most = 20;
  const std::string file = run_dir.empty() ? "" : write_reasons(reasons, run_dir);
  const size_t n = reasons.size();
  if (n == 0) return "";
  std::string text = std::to_string(n) + " of " + std::to_string(images) + " images cannot be read";
  if (!file.empty()) return text + "; all of them are in " + file + ", the first is " + reasons[0];
  text += ":";
  for (size_t i = 0; i < std::min(most, n); ++i) text += "\n  " + reasons[i];
  return n > most ? text + "\n  and " + std::to_string(n - most) + " more" : text;
}

}  // namespace common
