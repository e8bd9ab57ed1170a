// Decisions that all processes of a run take together: after which batch they stop or leave the epoch, and when a
// validation by time is due.
// A request made after a batch takes effect in all processes after the next batch. The all-reduce overlaps with the
// computation of that batch.
#pragma once
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/distributed/process_group.hpp"
#include "core/progress/run_progress.hpp"
#include "sdk/include/levin/abi.h"

namespace levin::core {

class RunAgreement {
 public:
  // group: used for these messages only, because other collectives run meanwhile. Both arguments must outlive this
  // object.
  RunAgreement(ProcessGroup& group, StopRequest& request);

  // Call it after each batch. Throws Interrupt in all processes after the same batch if one of them has received a
  // signal.
  void after_batch();
  // Exchanges requests and waits for the result. All processes must be at the same place.
  void now();
  // As now(), but outside of a batch: a request to leave the epoch is sent after the next batch.
  void before_batches();
  // Resumes within an epoch: sends the message again that was pending when the checkpoint was saved. batch_ended: true
  // if the checkpoint was saved after a batch, false if it was saved within one.
  void go_on(bool batch_ended);
  // Begins an evaluation. batches: its number of batches in this process, nullopt = unknown. Requests are exchanged
  // only for the batches that all processes have.
  void begin_evaluation(std::optional<int64_t> batches);
  void end_evaluation() { evaluated_.reset(); }

  // Asks to skip the rest of the epoch. Several processes skip it once all of them know.
  void ask_to_skip_epoch() { skip_ = group_.size() > 1 ? std::max(skip_, Skip::wanted) : Skip::agreed; }
  bool skips_epoch() const { return skip_ == Skip::agreed; }
  void begin_epoch() { skip_ = Skip::no; }
  // The request to skip the epoch.
  nlohmann::json state_dict() const;
  void load_state_dict(const nlohmann::json& state);

  // Returns true if a validation by time is due, according to the clock of rank 0.
  bool time_to_validate(bool by_own_clock);
  // Call it after a validation. As now(), and resets the pending request for a validation.
  void validated();

 private:
  enum Flag { signal, stop, skip_epoch, validate, flags };
  // sent: the request of this process is on its way; the other processes get it after the next batch.
  enum class Skip { no, wanted, sent, agreed };
  bool wants_skip() const { return skip_ != Skip::no; }
  at::Tensor proposal(bool skips) const;
  void send(bool skips);
  void take();

  ProcessGroup& group_;
  StopRequest& stop_;
  at::Tensor sent_;
  std::unique_ptr<Work> pending_;
  std::optional<int64_t> evaluated_;  // remaining batches of the running evaluation with an exchange
  Skip skip_ = Skip::no;
  bool wants_validation_ = false, validate_ = false;
};

// Makes all processes skip the same batches: if a hook skips a batch in one process, all processes skip it. Otherwise
// they would wait for that process in the batch's reductions.
class HookAnswers {
 public:
  // group: the processes whose answers are compared. warn: called once, in a process that skips because another one
  // does.
  HookAnswers(ProcessGroup& group, Warn warn) : group_(group), warn_(std::move(warn)) {}

  void begin_fit() { warned_ = false; }
  // Call it before an epoch. has_hook: true if a component of this process has the hook. If no process has it, of_all()
  // does not communicate. Collective.
  void begin_epoch(bool has_hook);
  // Returns the strongest answer of all processes: LEVIN_OK, LEVIN_SKIP or LEVIN_SKIP_EPOCH. Collective.
  levin_status of_all(levin_status mine, const RunProgress& progress);

 private:
  ProcessGroup& group_;
  const Warn warn_;
  bool asks_ = false, warned_ = false;
};

}  // namespace levin::core
