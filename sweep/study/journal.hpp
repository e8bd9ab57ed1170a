// The file of a study, in the format of Optuna's JournalFileStorage: a line of JSON for each operation, appended and
// synced under the lock FILE.lock, a symbolic link. Optuna and its dashboard read it while the sweep runs.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep/space/parameter.hpp"
#include "sweep/study/study.hpp"

namespace levin::core::sweep {

// Reads a study. Throws Error{data} if a line is damaged. The last line may be unfinished and is then left out.
Study read_study(const std::filesystem::path& file);

class Journal {
 public:
  // Opens the file for the only process that runs the sweep, or makes it. An unfinished last line of a killed process
  // is removed. Throws Error{data} if a line is damaged.
  Journal(std::filesystem::path file, const std::string& name, bool maximizes);

  const Study& study() const { return replay_.study(); }

  // Each call is on the disk when it returns. Throws Error{run} if the disk is full.
  // Returns the number of the new trial. `attributes` are those of Trial.
  int64_t start(const std::vector<Parameter>& parameters, const Assignment& values, const nlohmann::json& attributes);
  void set(int64_t trial, const std::string& attribute, const nlohmann::json& value);
  void reach(int64_t trial, int64_t epochs, double value);
  // at_epoch: further values of the metric.
  void end(int64_t trial, TrialState state, std::optional<double> value, const std::map<int64_t, double>& at_epoch,
           const std::string& error);

 private:
  void load();
  void append(const std::vector<nlohmann::json>& operations);
  nlohmann::json operation(int code) const;
  nlohmann::json of_trial(int code, int64_t trial) const;

  const std::filesystem::path file_;
  const std::string worker_;
  Replay replay_;
  uint64_t read_ = 0;  // bytes
};

}  // namespace levin::core::sweep
