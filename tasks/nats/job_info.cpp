#include "tasks/nats/job_info.hpp"

#include "tasks/common/resources.hpp"

namespace levin::core::tasks {
namespace {

bool is_hexadecimal(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool is_stream(const std::string& text) {
  constexpr const char* known = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !text.empty() && text.find_first_not_of(known) == std::string::npos;
}

}  // namespace

bool is_sound(const JobInfo& job) {
  for (const std::string& needs : job.needs)
    if (text_of(needs_of(needs)) != needs) return false;
  return is_hexadecimal(job.id) && is_hexadecimal(job.session) && is_stream(job.stream) && is_hexadecimal(job.sha256) &&
         job.sha256.size() == 64;
}

bool is_sound(const WorkerInfo& worker) { return !worker.name.empty() && worker.slots <= 1u << 20; }

}  // namespace levin::core::tasks
