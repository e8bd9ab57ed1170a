// What the slots of a worker share.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tasks/nats/held_tasks.hpp"
#include "tasks/nats/job_board.hpp"
#include "tasks/nats/libraries.hpp"
#include "tasks/nats/worker_resources.hpp"

namespace levin::core::tasks {

struct WorkerParts {
  Bus& bus;
  JobBoard& board;
  HeldTasks& held;
  Libraries& libraries;
  WorkerResources& resources;
  std::string name;              // of the worker
  std::string program;           // host-tasks-worker
  std::filesystem::path folder;  // of what the processes print
  size_t slots = 1;
  bool trust = false;
  nlohmann::json user;               // of the processes; null = that of this program
  std::atomic<int> stops{0};         // 1 = no task begins, 2 = at once
  std::atomic<uint64_t> fetches{0};  // slots that get a library

  bool abandons(const JobInfo& job) const { return stops > 1 || board.is_stopped(job); }
};

}  // namespace levin::core::tasks
