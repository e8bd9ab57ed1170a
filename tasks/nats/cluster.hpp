// The engine over a NATS server, for the driver. Where host tasks was built without NATS, each function throws
// Error{usage}, which says how to get it (without/without_nats.cpp).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tasks/common/job.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/engine/engine.hpp"
#include "tasks/engine/worker_process.hpp"

namespace levin::core::tasks {

void require_nats();
// needs: of the job's tasks. An engine over settings.server, or over a server and workers that it starts and that end
// with it.
std::unique_ptr<Engine> make_nats_engine(const JobSettings& settings, const JobFiles& files, const WorkerPlan& plan,
                                         const std::string& id, const std::vector<std::string>& needs);

}  // namespace levin::core::tasks
