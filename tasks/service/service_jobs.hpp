// The jobs of a service in its folder: files by their SHA-256 sums, and a run folder for each job.
#pragma once
#include <sys/types.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/nats/bus.hpp"
#include "tasks/nats/libraries.hpp"

namespace levin::core::tasks {

class ServiceJobs {
 public:
  // Goes on with the jobs that have not ended. Throws Error{run}.
  // ledger: URL of the database for ledgers of new jobs; "" = a file of each.
  ServiceJobs(std::filesystem::path folder, BusAddress address, std::vector<std::string> allowed, std::string ledger);
  ~ServiceJobs();

  bool has_file(const std::string& sha256) const;
  // Writes a part of a file. The last part makes it complete. Throws Error{run} if its sum is another one.
  void put(const std::string& sha256, const std::string& upload, uint64_t offset, bool last, std::string_view bytes);
  // Returns {"id", "new", "state"}. The same job is there once. Throws Error{plugin} if its library is not allowed.
  nlohmann::json submit(const nlohmann::json& request);
  nlohmann::json list() const;
  void cancel(const std::string& id);
  void retry(const std::string& id);
  JobFiles files(const std::string& id) const;  // throws Error{usage} if there is no such job
  std::string state(const std::string& id) const;
  void look();  // at the drivers: some may have ended
  void stop();  // ends the drivers; their jobs go on with the next service

 private:
  struct Job {
    pid_t driver = -1;
    bool cancelled = false;
    int crashes = 0;
    std::string end;  // how it has ended, as long as it is in no file: the disk may be full
  };
  void start_waiting();
  void start(const std::string& id, Job& job);
  void ended(const std::string& id, Job& job, int status);
  void keep_end(const std::string& id, Job& job);  // in a file, if it can be written
  bool has_ended(const std::string& id) const;
  nlohmann::json row(const std::string& id) const;
  std::filesystem::path file_of(const std::string& sha256) const;
  const std::filesystem::path folder_;
  const BusAddress address_;
  const std::vector<std::string> allowed_;
  const std::string ledger_;
  std::map<std::string, Job> jobs_;
};

}  // namespace levin::core::tasks
