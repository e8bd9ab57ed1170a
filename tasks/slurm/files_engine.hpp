// Tasks through files: no port is opened, and workers of any machine that sees the run folder take them.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "core/base/environment.hpp"
#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/engine/engine.hpp"
#include "tasks/engine/worker_process.hpp"
#include "tasks/slurm/exchange.hpp"
#include "tasks/slurm/slurm_workers.hpp"

namespace levin::core::tasks {

class FilesEngine : public Engine {
 public:
  // id: of the job; no other job has it.
  FilesEngine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan, const std::string& id);
  ~FilesEngine() override;
  size_t room() const override;
  size_t idle() const override { return 0; }  // it runs no task twice
  bool takes(const Needs& needs, const Amounts&) const override { return lacking(capacity_, needs).empty(); }
  std::string unmet(const Needs& needs) const override;
  void submit(QueuedTask task) override;
  size_t running() const override { return taken_; }
  std::vector<TaskEvent> wait(std::chrono::milliseconds time, int wake) override;
  void recorded() override;
  void hold() override;
  void stop() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Submitted {
    std::string name;
    uint64_t bytes = 0;
  };
  struct Worker {
    std::string alive;  // what its file says
    Clock::time_point seen;
  };
  void begin_session(const WorkerPlan& plan);
  void take_results(std::vector<TaskEvent>& events);
  // Returns false if there are more: results are large, and wait() returns them in parts.
  bool take_results(const Exchange& from, std::vector<TaskEvent>& events);
  void take_result(const Exchange& from, const std::string& name, std::vector<TaskEvent>& events);
  void look_at_workers(std::vector<TaskEvent>& events);
  // Returns tasks of which there is no file: a file server that went down has lost them.
  void look_for_lost_files(std::vector<TaskEvent>& events);
  void give_back(uint64_t index, std::vector<TaskEvent>& events);
  void lose(const std::string& worker, std::vector<TaskEvent>& events);
  void give_back_held(std::vector<TaskEvent>& events);
  void forget(uint64_t index);

  const std::filesystem::path root_;  // of all sessions
  const std::string session_;
  const Exchange exchange_;
  const size_t workers_wanted_;
  const Capacity capacity_;                                           // of each worker
  const std::chrono::milliseconds lost_after_ = heartbeat_timeout();  // a worker is silent; clocks are not compared
  std::vector<std::filesystem::path> old_sessions_;                   // whose results are recorded next
  std::vector<std::filesystem::path> reported_;                       // files whose events wait() has returned
  std::set<std::filesystem::path> seen_;                              // files of results
  std::unordered_map<uint64_t, Submitted> submitted_;
  std::map<std::string, Worker> workers_;
  std::unique_ptr<SlurmWorkers> slurm_;
  uint64_t order_ = 0, bytes_ = 0, beats_ = 0;
  size_t taken_ = 0;
  double rate_ = 0;  // results a second
  uint64_t results_ = 0;
  Clock::time_point looked_{}, compared_ = Clock::now();
  std::set<uint64_t> missing_;  // tasks that had no file when they were looked for last
  bool held_ = false;
};

std::unique_ptr<Engine> make_files_engine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan,
                                          const std::string& id);

}  // namespace levin::core::tasks
