#include "core/distributed/messages.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/store/time_limit.hpp"
#include "core/distributed/transports/wire.hpp"

namespace levin::core {
namespace {

constexpr int64_t most_tensor_dimensions = 12;

// Returns the header of a tensor: type, number of dimensions, sizes.
at::Tensor header_of(const at::Tensor& tensor) {
  if (tensor.dim() > most_tensor_dimensions)
    throw Error(ErrorCode::call_invalid,
                "a tensor that is sent has at most 12 dimensions, not " + std::to_string(tensor.dim()));
  const at::Tensor header = at::zeros({2 + most_tensor_dimensions}, at::kLong);
  auto* const to = header.data_ptr<int64_t>();
  to[0] = static_cast<int64_t>(tensor.scalar_type());
  to[1] = tensor.dim();
  for (int64_t d = 0; d < tensor.dim(); ++d) to[2 + d] = tensor.size(d);
  return header;
}

std::vector<int64_t> sizes_in(const at::Tensor& header) {
  const auto* const from = header.data_ptr<int64_t>();
  return {from + 2, from + 2 + from[1]};
}

// "float[2, 3]"
std::string text_of(const at::Tensor& header) {
  std::string text;
  for (const int64_t size : sizes_in(header)) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return std::string(c10::toString(static_cast<at::ScalarType>(*header.data_ptr<int64_t>()))) + "[" + text + "]";
}

class MessageWork : public Work {
 public:
  // theirs: the line of the matching call of the other process. number: of this call in its own line; 0 = not recorded.
  MessageWork(const char* call, std::shared_future<void> outcome, CollectiveLine theirs, uint64_t number,
              const ProcessGroupOptions& options, std::function<void()> finish)
      : call_(call),
        outcome_(std::move(outcome)),
        theirs_(std::move(theirs)),
        number_(number),
        options_(options),
        finish_(std::move(finish)) {}

  void wait() override {
    const CollectiveLog::Wait shown(options_.collective_log, number_ > 0 ? &theirs_ : nullptr, number_, call_);
    const BreadcrumbScope place(nullptr, call_);
    TimeLimit limit(options_.timeout);
    while (outcome_.wait_for(look_up_every) != std::future_status::ready) {
      options_.while_waiting();
      if (limit.is_over()) fail("no answer within " + std::to_string(options_.timeout.count() / 1000) + " seconds");
    }
    rethrow();
    const at::NoGradGuard no_grad;
    std::exchange(finish_, [] {})();
  }
  bool done() override { return outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

 private:
  void rethrow() {
    try {
      outcome_.get();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& e) {
      options_.explain();
      fail(brief(e));
    }
  }
  [[noreturn]] void fail(const std::string& why) {
    throw Error(ErrorCode::collective_failed, std::string(call_) + " between two processes of the run failed: " + why);
  }

  const char* call_;
  std::shared_future<void> outcome_;
  const CollectiveLine theirs_;
  uint64_t number_;
  const ProcessGroupOptions& options_;
  std::function<void()> finish_;
};

}  // namespace

// The messages of one direction, peer and tag. Its thread exists while there are messages.
class Messages::Lane {
 public:
  using Start = std::function<c10::intrusive_ptr<c10d::Work>()>;
  using Run = std::function<void(const Start&)>;  // starts a transfer and waits for it

  Lane(bool is_for_sends, int to, int of) : sends(is_for_sends), peer(to), tag(of) {}
  ~Lane() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closing_ = true;
      letters_.clear();
      if (under_way_) under_way_->abort();
    }
    if (thread_.joinable()) thread_.join();
  }

  std::shared_future<void> post(std::function<void(const Run&)> transfer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    letters_.emplace_back(std::move(transfer));
    std::shared_future<void> outcome = letters_.back().get_future().share();
    if (!running_) {
      if (thread_.joinable()) thread_.join();
      running_ = true;
      thread_ = std::thread([this] { run(); });
    }
    return outcome;
  }
  bool idle() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return !running_;
  }

  const bool sends;
  const int peer, tag;

 private:
  using Letter = std::packaged_task<void(const Run&)>;

  void run() {
    while (std::optional<Letter> letter = next()) (*letter)([this](const Start& start) { wait_for(start); });
  }
  std::optional<Letter> next() {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_ = !letters_.empty();
    if (!running_) return std::nullopt;
    std::optional<Letter> letter = std::move(letters_.front());
    letters_.pop_front();
    return letter;
  }
  void wait_for(const Start& start) {
    c10::intrusive_ptr<c10d::Work> work;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (closing_) throw Error(ErrorCode::collective_failed, "the run has ended");
      work = under_way_ = start();
    }
    std::exception_ptr failure;
    bool arrived = false;
    try {
      arrived = work->wait();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    under_way_.reset();
    if (failure) std::rethrow_exception(failure);
    if (!arrived) throw Error(ErrorCode::collective_failed, "the run has ended");
  }

  std::mutex mutex_;
  std::deque<Letter> letters_;
  c10::intrusive_ptr<c10d::Work> under_way_;
  bool running_ = false, closing_ = false;
  std::thread thread_;
};

Messages::Messages(c10::intrusive_ptr<C10dGroup> group, std::vector<int> ranks, int own,
                   const ProcessGroupOptions& options)
    : group_(std::move(group)), ranks_(std::move(ranks)), own_(own), options_(options) {}
Messages::~Messages() = default;

Messages::Lane& Messages::lane(bool sends, int peer, int tag) {
  for (const auto& one : lanes_)
    if (one->sends == sends && one->peer == peer && one->tag == tag) return *one;
  lanes_.remove_if([](const std::unique_ptr<Lane>& one) { return one->idle(); });
  lanes_.push_back(std::make_unique<Lane>(sends, peer, tag));
  return *lanes_.back();
}

// The collective_log entries of a message: each of the two processes waits for the other one's call.
struct Messages::Lines {
  CollectiveLine theirs;
  uint64_t number = 0;  // 0 = not recorded
};

Messages::Lines Messages::note(bool sends, int peer, int tag) {
  CollectiveLog* const collective_log = options_.collective_log;
  if (!collective_log) return {};
  const int own = ranks_.at(static_cast<size_t>(own_)), other = ranks_.at(static_cast<size_t>(peer));
  const auto line = [&](bool sent) {
    const int from = sends ? own : other, to = sends ? other : own;
    return (sent ? "sends from rank " : "receives from rank ") + std::to_string(from) +
           (sent ? " to rank " : " by rank ") + std::to_string(to) + ", tag " + std::to_string(tag) + ", in group '" +
           options_.collective_log_name + "'";
  };
  CollectiveCall step;
  step.call = sends ? "send" : "recv";
  Lines lines;
  lines.theirs.name = line(!sends);
  lines.theirs.ranks = {other};
  lines.number = collective_log->begin(collective_log->line(line(sends), {own}), step);
  return lines;
}

std::unique_ptr<Work> Messages::send(const at::Tensor& tensor, const at::Tensor& wire, int to, int tag) {
  const at::Tensor header = header_of(tensor);
  Lines lines = note(true, to, tag);
  auto outcome = lane(true, to, tag).post([this, header, wire, to, tag](const Lane::Run& run) {
    std::vector<at::Tensor> first = {header}, second = {wire};
    run([&] { return group_->send(first, to, 2 * tag); });
    if (wire.numel() > 0) run([&] { return group_->send(second, to, 2 * tag + 1); });
  });
  return std::make_unique<MessageWork>("send", std::move(outcome), std::move(lines.theirs), lines.number, options_,
                                       [] {});
}

std::unique_ptr<Work> Messages::receive(const at::Tensor& tensor, const at::Tensor& wire, int from, int tag) {
  const at::Tensor expected = header_of(tensor);
  Lines lines = note(false, from, tag);
  auto outcome = lane(false, from, tag).post([this, expected, wire, from, tag](const Lane::Run& run) {
    std::vector<at::Tensor> header = {at::zeros_like(expected)}, to = {wire};
    run([&] { return group_->recv(header, from, 2 * tag); });
    const bool fits = at::equal(header.front(), expected);
    if (!fits) {  // received nevertheless, so that the sender can go on
      const auto sent = static_cast<at::ScalarType>(*header.front().data_ptr<int64_t>());
      to = {at::empty(sizes_in(header.front()), at::TensorOptions(wire_type(sent)))};
    }
    if (to.front().numel() > 0) run([&] { return group_->recv(to, from, 2 * tag + 1); });
    if (!fits)
      throw Error(ErrorCode::call_invalid, "recv: rank " + std::to_string(ranks_.at(static_cast<size_t>(from))) +
                                               " sent " + text_of(header.front()) + ", and the tensor for it is " +
                                               text_of(expected));
  });
  return std::make_unique<MessageWork>("recv", std::move(outcome), std::move(lines.theirs), lines.number, options_,
                                       [tensor, wire] { off_wire(wire, tensor); });
}

}  // namespace levin::core
