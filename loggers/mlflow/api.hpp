// The calls of MLflow's REST interface.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>

#include "http.hpp"
#include "json.hpp"

namespace levin::mlflow {

// away: ask again later. refused: the server will never take this request.
enum class Outcome { done, away, refused };

struct RunOnServer {
  std::string experiment_id, run_id, artifact_uri;
  bool is_new = false;
};

// For one thread.
class Api {
 public:
  Api(const std::string& address, const std::atomic<bool>& stopped)
      : http_(address, access_of_environment(), stopped) {}

  // Finds the run of this uid, which is a tag of it, or makes it, and its experiment.
  Outcome open_run(const std::string& experiment, const std::string& run_name, const std::string& uid,
                   RunOnServer& out);

  Outcome log_batch(const std::string& body) { return post("runs/log-batch", body); }
  Outcome update(const std::string& body) { return post("runs/update", body); }
  // name: of the artifact. Returns `refused` if the server takes no artifacts.
  Outcome upload(const RunOnServer& run, const std::string& name, const std::filesystem::path& file);

  // Of the last request that was not done.
  const std::string& problem() const { return problem_; }
  bool was_answered() const { return answered_; }
  double retry_after() const { return retry_after_; }  // seconds; 0 = the server does not say

 private:
  Outcome post(const std::string& call, const std::string& body);
  Outcome post(const std::string& call, const std::string& body, Json& out);
  Outcome take(const Answer& answer, Json& out);
  Outcome fail(const std::string& problem);
  Outcome take_run(const Json& json, RunOnServer& out);
  Outcome open_experiment(const std::string& name, RunOnServer& out);
  Outcome find_run(const std::string& uid, RunOnServer& out);

  Http http_;
  std::string problem_;
  bool answered_ = false;
  double retry_after_ = 0;
};

}  // namespace levin::mlflow
