// What all processes of a run have to decide alike: after which batch they stop or leave the epoch, and when they
// validate by the clock.
// What one of them wants after a batch, all of them do after the next one: the message goes on its way while that one
// is computed, and nobody waits for it.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "core/distributed/process_group.hpp"
#include "core/progress/run_progress.hpp"

namespace levin::core {

class RunAgreement {
 public:
  // group: for this alone, because other collectives run meanwhile. Both outlive it.
  RunAgreement(ProcessGroup& group, RunProgress& progress);

  // After each batch. Throws Interrupt, in all processes after the same batch, when one has got a signal.
  void after_batch();
  // At once, where all processes are at the same place and none of them may go another way than the others.
  void now();
  // The same where no batch is in hand: a request to leave the epoch is still told after the next one.
  void before_batches();
  // A fit goes on within an epoch: what was on its way when the checkpoint was saved is sent again. batch_ended: after
  // a batch, and not in one.
  void go_on(bool batch_ended);
  // An evaluation of so many batches begins, which may be fewer in another process: only those that all have count.
  // nullopt: not known.
  void begin_evaluation(std::optional<int64_t> batches);
  void end_evaluation() { evaluated_.reset(); }

  // Whether the time to validate has come: by the clock of the first process.
  bool time_to_validate(bool by_own_clock);
  // The validation has ended: as now(), and what was said of the clock before is done.
  void validated();

 private:
  enum Flag { signal, stop, skip_epoch, validate, flags };
  at::Tensor proposal(bool skips) const;
  void send(bool skips);
  void take();

  ProcessGroup& group_;
  RunProgress& progress_;
  at::Tensor sent_;
  std::unique_ptr<Work> pending_;
  std::optional<int64_t> evaluated_;  // batches of the evaluation that runs, after which there is still an exchange
  bool wants_validation_ = false, validate_ = false;
};

}  // namespace levin::core
