// What a job computes, and with which limits. It is kept in the ledger, so that a job goes on with the same settings.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tasks/server/server_options.hpp"

namespace levin::core::tasks {

// The server is "" for one of this job alone.
struct JobSettings : ServerOptions {
  std::string library, sha256, component;  // library: absolute path
  std::string signature;                   // the text of FILE.so.sig, or ""
  std::string file;                        // of the tasks; absolute path
  nlohmann::json options = nlohmann::json::object();
  bool trust = false;

  // These may change when the job goes on.
  int64_t workers = 0;       // 0 = the number of CPUs
  int64_t attempts = 3;      // after which a task is set aside
  double time_limit = 0;     // seconds of a task; 0 = none
  int64_t max_size = 64;     // MiB of a task or a result
  int64_t memory = 0;        // MiB of a worker; 0 = no limit
  int64_t priority = 0;      // of its tasks among the jobs of a server
  bool speculative = false;  // slow tasks run a second time near the end
  // What workers of this machine have; -1 = what the machine has. memory_total: MiB.
  int64_t cpus = -1, gpus = -1, memory_total = -1;
  std::string labels;
  std::string engine = "local";
  bool own_server = false;          // the server is a process of host tasks serve, which runs this job
  std::string listen;               // HOST:PORT of the job's own server, for workers of SLURM
  std::vector<std::string> sbatch;  // options for these workers, KEY=VALUE
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(JobSettings, library, sha256, component, signature, file, options,
                                                trust, workers, attempts, time_limit, max_size, memory, priority,
                                                speculative, cpus, gpus, memory_total, labels, engine, server,
                                                token_file, creds_file, tls_ca, tls_cert, tls_key, own_server, listen,
                                                sbatch)

// May have the token of the NATS server. Libraries do not see it.
inline constexpr const char* token_variable = "LEVIN_TASKS_TOKEN";

// The state of a job in its ledger, in this order.
inline constexpr const char* job_reading = "reading";
inline constexpr const char* job_running = "running";
inline constexpr const char* job_summing = "summing";
inline constexpr const char* job_done = "done";

}  // namespace levin::core::tasks
