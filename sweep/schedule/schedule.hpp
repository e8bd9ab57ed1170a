// Decides which trial is started or continued next, from what the study holds alone: a sweep that was killed goes on
// with the same decisions.
#pragma once
#include <memory>
#include <vector>

#include "core/base/enum_names.hpp"
#include "sweep/search/sampler.hpp"
#include "sweep/study/study.hpp"

namespace levin::core {
namespace sweep {

enum class ScheduleKind { none, asha, pbt };

struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::none;
  int64_t trials = 0;      // how many are started; of a population: its size
  int64_t min_epochs = 1;  // asha: of the first rung
  int64_t factor = 3;      // asha: one trial of so many is promoted, and trains so many times longer
  int64_t interval = 1;    // pbt: epochs of a generation
  int64_t max_epochs = 0;  // of a trial that is not stopped; 0 = as its command says
  uint64_t seed = 0;
};

struct Step {
  enum class What { start, proceed, wait, finish } what = What::wait;
  Assignment values;                                     // start
  nlohmann::json attributes = nlohmann::json::object();  // start: those of Trial, without the folder
  int64_t trial = -1;                                    // proceed
  int64_t epochs = 0;                                    // proceed: up to this number
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual Step next(const Study& study) = 0;
  // Returns true if a trial that has reached its number of epochs waits for its promotion.
  virtual bool pauses(const Trial& trial) const = 0;
};

std::unique_ptr<Schedule> make_schedule(const ScheduleOptions& options, const std::vector<Parameter>& parameters,
                                        std::unique_ptr<Sampler> sampler);

// What a sampler may know of the trials.
std::vector<Observation> observations(const Study& study, const std::vector<Parameter>& parameters);
// The values of a trial in the order of the parameters.
Assignment values_of(const Trial& trial, const std::vector<Parameter>& parameters);
int64_t started_trials(const Study& study);  // by the sweep; other programs may add trials

}  // namespace sweep
template <>
inline constexpr auto enum_names<sweep::ScheduleKind> = std::array{"none", "asha", "pbt"};
}  // namespace levin::core
