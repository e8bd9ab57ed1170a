#include "core/logging/run_logger.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace levin::core {

DeliveredMark::DeliveredMark(const std::filesystem::path& run_dir, const std::string& logger) {
  if (!run_dir.empty())
    file_ = open((run_dir / (".delivered." + logger)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
}

DeliveredMark::~DeliveredMark() {
  if (file_ >= 0) close(file_);
}

uint64_t DeliveredMark::read() const {
  char text[32] = "";
  if (file_ < 0 || pread(file_, text, sizeof text - 1, 0) <= 0) return 0;
  return std::strtoull(text, nullptr, 10);
}

void DeliveredMark::write(uint64_t number) const {
  if (file_ < 0) return;
  char text[32];
  const int n = std::snprintf(text, sizeof text, "%020llu\n", static_cast<unsigned long long>(number));
  if (pwrite(file_, text, static_cast<size_t>(n), 0) < 0) return;
}

RunLogger::RunLogger(std::unique_ptr<Logger> logger, const DeliveryLimits& limits, Warn warn)
    : logger_(std::move(logger)), limits_(limits), warn_(std::move(warn)) {}

// A logger that hangs in a call cannot be destroyed, because its thread is still running in it. It is kept until the
// process ends.
RunLogger::~RunLogger() {
  static std::vector<Logger*>& hung = *new std::vector<Logger*>();
  if (delivery_ && !delivery_->give_up()) hung.push_back(logger_.release());
}

void RunLogger::load(StateBag state, const StateBag& waiting, const std::function<void(Component&)>& load_component) {
  state_ = std::move(state);
  repeated_ = WaitingCalls::read(waiting);
  phase_ = Phase::left_out;
  load_component(*logger_);
  phase_ = Phase::made;
}

void RunLogger::begin(const levin_logger_begin& begin) {
  if (phase_ != Phase::made) return;
  phase_ = Phase::left_out;
  logger_->begin(begin);
  phase_ = Phase::began;
  guarded([&] { url_ = logger_->url(); });
  guarded([&] { save_state(); });
  if (phase_ != Phase::began) return;
  if (!(logger_->flags() & LEVIN_F_OFF_THREAD)) return repeat_calls();
  const auto mark = std::make_shared<DeliveredMark>(begin.run_dir ? begin.run_dir : "", logger_->instance());
  const uint64_t delivered = begin.resumed_step < 0 ? 0 : std::min(mark->read(), repeated_.last);
  mark->write(delivered);
  delivery_ = std::make_unique<Delivery>(Delivery::Parts{
      *logger_, limits_, [mark](uint64_t number) { mark->write(number); }, warn_, state_, repeated_.last});
  auto& calls = repeated_.calls;
  const auto known = [&](const LoggerCall& call) { return call.number <= delivered; };
  calls.erase(std::remove_if(calls.begin(), calls.end(), known), calls.end());
  repeat_calls();
}

// Repeats the calls that were queued when the checkpoint was saved, before all new calls.
void RunLogger::repeat_calls() {
  for (LoggerCall& call : std::exchange(repeated_.calls, {})) {
    if (delivery_)
      delivery_->repeat(std::move(call));
    else if (phase_ == Phase::began)
      guarded([&] { call.make(*logger_); });
  }
}

void RunLogger::guarded(const std::function<void()>& call) {
  if (phase_ != Phase::began) return;
  try {
    call();
  } catch (const Error& e) {
    phase_ = Phase::left_out;
    warn_(std::string(e.what()) + "; the logger is skipped for the rest of the run");
  }
}

void RunLogger::save_state() {
  if (!logger_->has_state()) return;
  StateBag state;
  const levin_writer writer = state.writer();
  logger_->save(writer);
  state_ = std::move(state);
}

StateBag RunLogger::state() {
  if (delivery_) return delivery_->state();
  guarded([&] { save_state(); });
  return state_;
}

StateBag RunLogger::waiting_calls() const {
  StateBag bag;
  if (delivery_) delivery_->waiting().write(bag);
  return bag;
}

void RunLogger::finish(Delivery::Clock::time_point deadline) {
  if (!delivery_ || phase_ != Phase::began) return;
  const auto soon = Delivery::Clock::now() + std::chrono::seconds(1);
  bool done = delivery_->wait_until(std::min(deadline, soon));
  if (!done && soon < deadline) {
    warn_("waiting for the slow logger " + logger_->instance() + " to take " + std::to_string(delivery_->size()) +
          " more calls, for at most trainer.logger_timeout");
    done = delivery_->wait_until(deadline);
  }
  if (const std::string dropped = delivery_->dropped(); !dropped.empty())
    warn_(logger_->plugin() + ": " + logger_->instance() + " was too slow: dropped: " + dropped);
  if (done) return;
  phase_ = Phase::left_out;
  delivery_->give_up();
}

}  // namespace levin::core
