#include "tasks/nats/nats_engine.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "launch/common/descriptor.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr uint64_t most_stream_bytes = 64u << 20;  // of tasks in the stream, unless the workers need more
constexpr size_t most_tasks = 4096;
constexpr int64_t results_a_pull = 256;
constexpr milliseconds pull_time{2000};
constexpr seconds idle_workers{5};
constexpr seconds shortest_patience{2};   // with a stream that was replaced
constexpr seconds longest_patience{300};  // if no result comes at all
constexpr seconds longest_silence{60};    // of a server of this job alone

}  // namespace

struct NatsEngine::Arrivals {
  std::mutex mutex;
  std::deque<BusMessage> messages;  // results, and what the server says instead
  std::deque<WorkerInfo> workers;
  bool hello = false;
  std::string refusal;  // of the server: what it cannot store, and why
  Descriptor event{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};

  template <class F>
  void add(F&& f) {
    const std::lock_guard<std::mutex> lock(mutex);
    f();
    const uint64_t one = 1;
    if (::write(event.get(), &one, sizeof one) < 0) return;  // it is readable already
  }
};

NatsEngine::NatsEngine(const BusAddress& address, JobInfo job, const std::string& library, std::string store,
                       std::function<bool()> go_on)
    : bus_(address, "levin tasks " + job.id, seconds(15), go_on),
      job_(std::move(job)),
      stream_(bus_, job_.id, job_.needs.size() + 1),
      library_(library),
      store_(std::move(store)),
      go_on_(std::move(go_on)),
      arrivals_(std::make_shared<Arrivals>()),
      queued_(job_.needs.size() + 1) {
  stream_.open(go_on_);
  if (const auto left = stream_.waiting())
    for (const JobStream::Waiting& task : *left) adopted_.insert(task.index);
  put_library();
  const auto to = arrivals_;
  listeners_.push_back(bus_.listen(subject_hello, [to](BusMessage) { to->add([&] { to->hello = true; }); }));
  listeners_.push_back(bus_.listen(subject_workers, [to, session = job_.session](BusMessage message) {
    if (auto worker = parsed<WorkerInfo>(message.bytes)) to->add([&] { to->workers.push_back(std::move(*worker)); });
    const auto refused = parsed<StoreRefusal>(message.bytes);
    if (refused && refused->session == session) to->add([&] { to->refusal = "a result: " + refused->reason; });
  }));
  listeners_.push_back(bus_.listen(answers_, [to](BusMessage message) {
    const std::string reason = message.status == 503 ? "" : refused_by_jetstream(message);
    if (!reason.empty()) to->add([&] { to->refusal = "a task: " + reason; });
  }));
  listeners_.push_back(bus_.listen(
      pulls_ + ".*", [to](BusMessage message) { to->add([&] { to->messages.push_back(std::move(message)); }); }));
  announce();
}

NatsEngine::~NatsEngine() { listeners_.clear(); }

void NatsEngine::put_library() {
  if (library_.empty()) return;
  const Body body = stream_.put_blob("library", read_file(library_, ErrorCode::operation_failed), go_on_);
  job_.library_chunks = body.chunks;
  job_.library_size = body.size;
}

// Tasks
// -----------------------------------------------------------------------------------------------------------------

size_t NatsEngine::room() const {
  if (submitted_.size() >= most_tasks) return 0;
  return bytes_ < most_stream_bytes || submitted_.size() <= workers_.slots() ? most_tasks - submitted_.size() : 0;
}

// Enough in each queue that no worker waits for the driver, and few enough that a job that comes later gets its share
// soon. A task that no worker can run stays with the driver.
bool NatsEngine::takes(const Needs& needs, const Amounts&) const {
  const size_t all = static_cast<size_t>(workers_.slots()), queue = queue_of(needs);
  if (queue > 0 && (all == 0 || !unmet(needs).empty())) return false;
  return queued_[queue] < 4 + 2 * all + static_cast<size_t>(rate_ / 2);
}

size_t NatsEngine::queue_of(const Needs& needs) const {
  const std::string text = text_of(needs);
  if (text.empty()) return 0;
  const auto found = std::find(job_.needs.begin(), job_.needs.end(), text);
  if (found == job_.needs.end())
    throw Error(ErrorCode::internal_error, "a task has needs that the job has not: " + text);
  return static_cast<size_t>(found - job_.needs.begin()) + 1;
}

std::string NatsEngine::unmet(const Needs& needs) const { return workers_.unmet(needs); }

size_t NatsEngine::running() const { return std::min<size_t>(submitted_.size(), workers_.slots()); }

size_t NatsEngine::idle() const {
  const uint64_t all = workers_.slots(), busy = submitted_.size() + copies_;
  return all > busy ? static_cast<size_t>(all - busy) : 0;
}

void NatsEngine::submit(QueuedTask task) {
  wake_ = wake_ || submitted_.size() <= workers_.slots();
  if (const auto known = submitted_.find(task.index); task.copy && known != submitted_.end()) {
    ++known->second.messages;
    ++copies_;
    known->second.when = Clock::now();
    TaskMessage message{task.index, task.attempt, {}, true};
    message.body = stream_.put(std::to_string(task.index) + ".task", task.bytes, go_on_);
    known->second.has_blob = known->second.has_blob || message.body.chunks > 0;
    bus_.publish(stream_.tasks(known->second.queue), packed(message), answers_);
    return;
  }
  forget(task.index);
  Submitted& now = submitted_[task.index];
  now.queue = queue_of(task.needs);
  ++queued_[now.queue];
  now.attempt = task.attempt;
  now.when = Clock::now();
  now.bytes = task.bytes.size();
  bytes_ += now.bytes;
  if (adopted_.erase(task.index) > 0) {
    now.has_blob = true;  // it may have one
    return;
  }
  TaskMessage message{task.index, task.attempt, {}, false};
  message.body = stream_.put(std::to_string(task.index) + ".task", task.bytes, go_on_);
  now.has_blob = message.body.chunks > 0;
  bus_.publish(stream_.tasks(now.queue), packed(message), answers_);
}

void NatsEngine::forget(uint64_t index) {
  const auto found = submitted_.find(index);
  if (found == submitted_.end()) return;
  bytes_ -= found->second.bytes;
  --queued_[found->second.queue];
  copies_ -= static_cast<uint64_t>(found->second.messages - 1);
  submitted_.erase(found);
}

void NatsEngine::give_back(uint64_t index, std::vector<TaskEvent>& events) {
  const auto found = submitted_.find(index);
  const int messages = found == submitted_.end() ? 1 : found->second.messages;
  forget(index);
  for (int i = 0; i < messages; ++i) {
    TaskEvent event;
    event.how = Ended::returned;
    event.index = index;
    events.push_back(std::move(event));
  }
}

// Events
// ----------------------------------------------------------------------------------------------------------------

void NatsEngine::announce() {
  job_.stream = stream_.name();
  bus_.publish(subject_jobs, nlohmann::json(job_).dump());
  announced_ = Clock::now();
}

void NatsEngine::pull_if_due() {
  const auto now = Clock::now();
  if (requested_ > 0 && now < pull_ends_) return;
  const nlohmann::json request = {{"batch", results_a_pull}, {"expires", std::chrono::nanoseconds(pull_time).count()}};
  bus_.publish(stream_.pull_results(), request.dump(), pulls_ + "." + std::to_string(++pull_));
  requested_ = results_a_pull;
  pull_ends_ = now + pull_time + milliseconds(500);
}

std::vector<TaskEvent> NatsEngine::wait(milliseconds time, int wake) {
  if (bus_.closed()) throw Error(ErrorCode::server_refused, "the NATS server does not let this job connect any more");
  if (Clock::now() - announced_ > seconds(1)) announce();
  if (std::exchange(wake_, false)) bus_.publish(subject_wake, "");
  pull_if_due();
  std::vector<TaskEvent> events = std::exchange(given_back_, {});
  pollfd fds[] = {{wake, POLLIN, 0}, {arrivals_->event.get(), POLLIN, 0}};
  if (events.empty()) ::poll(fds, 2, static_cast<int>(std::min(time, milliseconds(500)).count()));
  take_answers(events);
  look_at_workers(events);
  look_for_lost_tasks(events);
  if (const double passed = std::chrono::duration<double>(Clock::now() - counted_since_).count(); passed > 0.25) {
    rate_ = static_cast<double>(std::exchange(counted_, 0)) / passed;
    counted_since_ = Clock::now();
  }
  return events;
}

void NatsEngine::take_answers(std::vector<TaskEvent>& events) {
  std::deque<BusMessage> messages;
  std::deque<WorkerInfo> workers;
  bool hello;
  {
    const std::lock_guard<std::mutex> lock(arrivals_->mutex);
    uint64_t count;
    if (::read(arrivals_->event.get(), &count, sizeof count) < 0) count = 0;  // nothing has come
    messages.swap(arrivals_->messages);
    workers.swap(arrivals_->workers);
    hello = std::exchange(arrivals_->hello, false);
    if (!arrivals_->refusal.empty())
      throw Error(ErrorCode::server_refused, "the NATS server cannot store " + arrivals_->refusal + advice_on_store());
  }
  if (hello) announce();
  for (const WorkerInfo& worker : workers) wake_ = workers_.update(worker) || wake_;
  for (const BusMessage& message : messages) {
    if (message.status == 0)
      take_records(message, events);
    else if (message.subject == pulls_ + "." + std::to_string(pull_) && message.status != 503)
      requested_ = 0;  // the request has ended; 503: it was never there
  }
  pull_if_due();
}

void NatsEngine::take_records(const BusMessage& message, std::vector<TaskEvent>& events) {
  --requested_;
  unacknowledged_.push_back(message.reply);
  auto records = unpacked_records(message.bytes);
  if (!records) return;  // no worker of this version has written it
  for (ResultRecord& record : *records) take_record(std::move(record), events);
}

void NatsEngine::take_record(ResultRecord record, std::vector<TaskEvent>& events) {
  if (record.how == Ended::note) {
    workers_.refuses(record.worker, record.body.bytes);
  } else {
    const auto known = submitted_.find(record.index);
    const bool earlier = known != submitted_.end() && record.attempt < known->second.attempt;
    if (earlier && record.how != Ended::result) return;  // sent twice, or its task was sent again
    if (record.body.chunks > 0 || known == submitted_.end() || known->second.has_blob)
      blobs_of_.push_back(record.index);
    const bool another = known != submitted_.end() && known->second.messages > 1 && record.how != Ended::result;
    if (another)
      --known->second.messages, --copies_;
    else
      forget(record.index);
    suspects_.erase(record.index);
    last_result_ = Clock::now();
    if (record.how == Ended::result) workers_.accepts(record.worker.substr(0, record.worker.rfind('/')));
    ++counted_;
  }
  TaskEvent event;
  event.how = record.how;
  event.index = record.index;
  event.attempt = record.attempt;
  event.worker = std::move(record.worker);
  event.seconds = record.seconds;
  std::optional<std::string> bytes = stream_.get(record.body);
  if (!bytes) event.how = Ended::returned;  // a late duplicate, whose blob is gone
  event.bytes = std::move(bytes).value_or("");
  if (event.how == Ended::note) event.bytes = "worker " + event.worker + " cannot use the library: " + event.bytes;
  events.push_back(std::move(event));
}

void NatsEngine::look_at_workers(std::vector<TaskEvent>& events) {
  const auto now = Clock::now();
  workers_.drop_silent();
  if (const std::string why = workers_.a_refusal(); !store_.empty() && !why.empty())
    throw Error(ErrorCode::plugin_does_not_load, why);
  if (workers_.slots() > 0) begun_ = now;
  if (workers_.slots() > 0 || !store_.empty() || said_no_worker_ || now - begun_ < seconds(10)) return;
  said_no_worker_ = true;
  TaskEvent event;
  event.how = Ended::note;
  event.bytes = "no worker can take tasks: start one with host tasks worker --server ...";
  events.push_back(std::move(event));
}

bool NatsEngine::workers_are_idle() const {
  return workers_.slots() > 0 && Clock::now() - std::max(workers_.busy(), last_result_) > idle_workers;
}

// Compares the tasks that the driver waits for with those that the server has. A server that was killed can have lost
// messages, and can have some again that were removed. nats-server 2.9 then counts and even tries to hand out messages
// that it does not have, and stops at them. Whatever has happened: tasks without a trace are sent again, and if that
// does not help, or workers have nothing to do, all tasks go into a new stream.
void NatsEngine::look_for_lost_tasks(std::vector<TaskEvent>& events) {
  const auto now = Clock::now();
  if (!bus_.connected()) silent_since_.reset();
  if (submitted_.empty() || now - std::max(looked_, last_result_) < seconds(2) || !bus_.connected()) return;
  looked_ = now;
  std::unordered_set<uint64_t> missing;  // without those that no worker can run
  size_t old = 0;
  for (const auto& [index, task] : submitted_)
    if (now - task.when > seconds(2)) {
      ++old;
      if (task.queue == 0 || unmet(needs_of(job_.needs[task.queue - 1])).empty()) missing.insert(index);
    }
  if (missing.empty()) return suspects_.clear();
  look_at_silence();
  if (!silent_since_) silent_since_ = now;  // until it answers
  bool never_handed_out = workers_are_idle();
  try {
    const auto counts = stream_.counts();
    if (!counts) return;
    silent_since_.reset();
    const uint64_t under_way = counts->waiting + counts->delivered;
    if (under_way >= old && !never_handed_out) return suspects_.clear();
    if (under_way > 0) {
      const auto there = stream_.waiting();
      if (!there) return;
      for (const JobStream::Waiting& task : *there) missing.erase(task.index);
      never_handed_out = never_handed_out || missing.empty();
    }
  } catch (const Error&) {  // the server has lost the stream, or a part of it
    return replace_stream(events);
  }
  if (never_handed_out && now - replaced_ > patience_) return replace_stream(events);
  std::vector<uint64_t> lost;
  for (const uint64_t index : missing)
    if (suspects_.count(index)) lost.push_back(index);
  suspects_ = std::move(missing);
  if (lost.empty()) return;
  if (sent_again_ > last_result_ && now - replaced_ > patience_) return replace_stream(events);
  for (const uint64_t index : lost) give_back(index, events);
  sent_again_ = now;
  workers_.now_busy();
}

// nats-server 2.9 answers nothing more after a full disk.
void NatsEngine::look_at_silence() const {
  if (store_.empty() || !silent_since_) return;
  if (Clock::now() - std::max(*silent_since_, last_result_) < longest_silence) return;
  throw Error(ErrorCode::server_unreachable, "the job's NATS server has not answered for " +
                                                 std::to_string(longest_silence.count()) +
                                                 " s, perhaps because its disk is full" + advice_on_store());
}

std::string NatsEngine::advice_on_store() const {
  if (store_.empty()) return "; make room on the server's disk, or raise its limits";
  return "; make room on the disk of " + store_ + ", and go on with host tasks --resume";
}

// All tasks that have no result begin anew.
void NatsEngine::replace_stream(std::vector<TaskEvent>& events) {
  patience_ = last_result_ > replaced_ ? shortest_patience : std::min<Clock::duration>(2 * patience_, longest_patience);
  stream_.replace(go_on_);
  put_library();
  announce();
  unacknowledged_.clear();
  blobs_of_.clear();
  adopted_.clear();
  suspects_.clear();
  requested_ = 0;
  while (!submitted_.empty()) give_back(submitted_.begin()->first, events);
  replaced_ = sent_again_ = Clock::now();
  workers_.now_busy();
}

// Ends
// ------------------------------------------------------------------------------------------------------------------

void NatsEngine::recorded() {
  for (const std::string& subject : unacknowledged_) bus_.publish(subject, "+ACK");
  for (const uint64_t index : blobs_of_)
    if (!submitted_.count(index)) stream_.remove_blobs(std::to_string(index));
  unacknowledged_.clear();
  blobs_of_.clear();
}

void NatsEngine::hold() {
  bus_.publish(subject_hold, nlohmann::json(JobSession{job_.id, job_.session}).dump());
  std::this_thread::sleep_for(milliseconds(50));  // requests of workers that were on their way
  try {
    const auto there = stream_.waiting();
    if (!there) return;
    for (const JobStream::Waiting& task : *there) {
      if (task.begun) continue;
      stream_.remove_message(task.sequence);
      give_back(task.index, given_back_);
    }
  } catch (const Error&) {  // the stream is gone, and with it the tasks
  }
}

void NatsEngine::stop() {
  bus_.publish(subject_stop, nlohmann::json(JobSession{job_.id, job_.session}).dump());
  stream_.remove();
}

}  // namespace levin::core::tasks
