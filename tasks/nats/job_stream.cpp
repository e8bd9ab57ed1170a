#include "tasks/nats/job_stream.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <thread>

#include "core/base/error.hpp"
#include "tasks/common/random_hex.hpp"

namespace levin::core::tasks {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* prefix = "levin.job.";
constexpr uint32_t under_way = 8;            // chunks of a blob at the same time
constexpr int64_t nanoseconds = 1000000000;  // in a second

uint32_t number_at_end(const std::string& subject) {
  return static_cast<uint32_t>(std::strtoul(subject.c_str() + subject.rfind('.') + 1, nullptr, 10));
}

nlohmann::json consumer(const std::string& stream, const std::string& name, const std::string& subject,
                        int64_t ack_seconds) {
  return {{"stream_name", stream},
          {"config",
           {{"durable_name", name},
            {"deliver_policy", "all"},
            {"ack_policy", "explicit"},
            {"ack_wait", ack_seconds * nanoseconds},
            {"filter_subject", subject},
            {"replay_policy", "instant"},
            {"max_deliver", -1},
            {"max_ack_pending", 65536},
            {"max_waiting", 8192}}}};
}

}  // namespace

JobStream::JobStream(Bus& bus, std::string job, size_t queues, std::string name)
    : bus_(bus),
      job_(std::move(job)),
      base_(prefix + job_),
      name_(std::move(name)),
      queues_(queues),
      largest_(std::clamp<size_t>(bus.largest() / 4, 1024, 1u << 18)),
      chunk_(2 * largest_) {}

std::string JobStream::job_of(const std::string& subject) {
  const size_t n = std::char_traits<char>::length(prefix);
  if (subject.compare(0, n, prefix) != 0) return "";
  const size_t dot = subject.find('.', n);
  return dot == std::string::npos ? "" : subject.substr(n, dot - n);
}

void JobStream::open(const std::function<bool()>& go_on) {
  const auto until = Clock::now() + seconds(20);
  const auto call = [&](const std::string& what, const nlohmann::json& request) {
    for (;;) {
      if (auto answer = call_jetstream(bus_, what, request, seconds(2))) return *answer;
      go_on();
      if (Clock::now() > until)
        throw Error(ErrorCode::server_unreachable,
                    "the NATS server does not answer as JetStream: start it with nats-server -js");
      std::this_thread::sleep_for(milliseconds(100));
    }
  };
  const nlohmann::json there = call("STREAM.NAMES", {{"subject", tasks()}}).value("streams", nlohmann::json());
  if (there.is_array() && !there.empty()) {
    name_ = there[0].get<std::string>();
  } else {
    name_ = "levin_" + job_ + "_" + random_hex(8);
    call("STREAM.CREATE." + name_, {{"name", name_},
                                    {"subjects", {base_ + ".>"}},
                                    {"retention", "workqueue"},
                                    {"storage", "file"},
                                    {"num_replicas", 1},
                                    {"max_consumers", -1},
                                    {"max_msgs", -1},
                                    {"max_bytes", -1},
                                    {"max_age", 0},
                                    {"discard", "old"},
                                    {"allow_direct", true}});
  }
  for (size_t queue = 0; queue < queues_; ++queue)
    call("CONSUMER.DURABLE.CREATE." + name_ + "." + consumer_of(queue),
         consumer(name_, consumer_of(queue), tasks(queue), 3));
  try {
    call_jetstream(bus_, "CONSUMER.DELETE." + name_ + ".result", nullptr);
  } catch (const Error&) {  // there is none
  }
  call("CONSUMER.DURABLE.CREATE." + name_ + ".result", consumer(name_, "result", results(), 60));
}

void JobStream::replace(const std::function<bool()>& go_on) {
  const auto until = Clock::now() + seconds(20);
  try {
    while (!call_jetstream(bus_, "STREAM.DELETE." + name_, nullptr, seconds(2)) && Clock::now() < until) go_on();
  } catch (const Error&) {  // it is gone already
  }
  open(go_on);
}

void JobStream::remove() {
  try {
    call_jetstream(bus_, "STREAM.DELETE." + name_, nullptr, seconds(2));
  } catch (const Error&) {  // it is gone already
  }
}

std::string JobStream::blob(const std::string& name, uint32_t chunk) const {
  return base_ + ".blob." + name + "." + std::to_string(chunk);
}

Body JobStream::put(const std::string& name, std::string_view bytes, const std::function<bool()>& go_on) {
  if (bytes.size() > largest_) return put_blob(name, bytes, go_on);
  return {0, bytes.size(), std::string(bytes)};
}

Body JobStream::put_blob(const std::string& name, std::string_view bytes, const std::function<bool()>& go_on) {
  const auto chunks = static_cast<uint32_t>(std::max<size_t>(1, (bytes.size() + chunk_ - 1) / chunk_));
  const auto until = Clock::now() + seconds(60);
  while (!put_chunks(name, bytes, chunks, go_on)) {
    if (Clock::now() > until) throw Error(ErrorCode::server_unreachable, "the NATS server does not answer");
    std::this_thread::sleep_for(milliseconds(200));
  }
  return {chunks, bytes.size(), name};
}

// Returns false if a chunk was not acknowledged in time.
bool JobStream::put_chunks(const std::string& name, std::string_view bytes, uint32_t chunks,
                           const std::function<bool()>& go_on) {
  const std::string answers = Bus::new_subject();
  const auto inbox = bus_.inbox(answers);
  uint32_t sent = 0;
  for (uint32_t stored = 0; stored < chunks; ++stored) {
    for (; sent < chunks && sent < stored + under_way; ++sent)
      bus_.publish(blob(name, sent), bytes.substr(sent * chunk_, chunk_), answers);
    const std::optional<BusMessage> answer = inbox->next(seconds(3));
    if (!go_on()) throw Error(ErrorCode::operation_failed, "stopped");
    if (!answer) return false;
    const std::string reason = refused_by_jetstream(*answer);
    if (!reason.empty()) throw Error(ErrorCode::server_refused, "the NATS server cannot store " + name + ": " + reason);
  }
  return true;
}

std::optional<std::string> JobStream::get(const Body& body) {
  if (body.chunks == 0) return body.bytes;
  const std::string dotted = "." + body.bytes + ".";
  if (dotted.find("..") != std::string::npos) return std::nullopt;  // no subject: the server would not answer
  const std::string answers = Bus::new_subject(), get = "$JS.API.DIRECT.GET." + name_;
  const auto inbox = bus_.inbox(answers + ".*");
  std::map<uint32_t, std::string> parts;
  uint32_t asked = 0;
  uint64_t size = 0;
  for (uint32_t got = 0; got < body.chunks; ++got) {
    for (; asked < body.chunks && asked < got + under_way; ++asked)
      bus_.publish(get, nlohmann::json{{"last_by_subj", blob(body.bytes, asked)}}.dump(),
                   answers + "." + std::to_string(asked));
    std::optional<BusMessage> answer = inbox->next(seconds(5));
    if (!answer || answer->status != 0) return std::nullopt;
    const uint32_t chunk = number_at_end(answer->subject);
    if (chunk >= body.chunks || (size += answer->bytes.size()) > body.size) return std::nullopt;
    parts[chunk] = std::move(answer->bytes);
  }
  if (size != body.size || parts.size() != body.chunks) return std::nullopt;
  std::string out;
  out.reserve(static_cast<size_t>(size));
  for (const auto& [chunk, part] : parts) out += part;
  return out;
}

void JobStream::remove_blobs(const std::string& name) {
  bus_.publish("$JS.API.STREAM.PURGE." + name_, nlohmann::json{{"filter", base_ + ".blob." + name + ".>"}}.dump());
}

std::optional<std::vector<JobStream::Waiting>> JobStream::waiting() {
  std::vector<Waiting> out;
  for (size_t queue = 0; queue < queues_; ++queue)
    if (!add_waiting(queue, out)) return std::nullopt;
  return out;
}

bool JobStream::add_waiting(size_t queue, std::vector<Waiting>& to) {
  const std::optional<Counts> before = counts(queue);
  if (!before) return false;
  const size_t first = to.size();
  // A server that was killed may know that a task is acknowledged, and have its message nevertheless.
  for (uint64_t next = before->acknowledged + 1;;) {
    const nlohmann::json request = {{"seq", next}, {"next_by_subj", tasks(queue)}};
    const auto found = bus_.request("$JS.API.DIRECT.GET." + name_, request.dump(), seconds(2));
    if (found && found->status == 404) break;
    if (!found || found->status != 0 || found->sequence < next) return false;
    if (const auto message = unpacked_message(found->bytes)) to.push_back({message->index, found->sequence, false});
    next = found->sequence + 1;
  }
  const std::optional<Counts> now = to.size() > first ? counts(queue) : before;
  if (!now) return false;
  for (size_t i = first; i < to.size(); ++i) to[i].begun = to[i].sequence <= now->last_delivered;
  return true;
}

std::optional<JobStream::Counts> JobStream::counts(size_t queue) {
  const auto info = call_jetstream(bus_, "CONSUMER.INFO." + name_ + "." + consumer_of(queue), nullptr, seconds(2));
  if (!info) return std::nullopt;
  const auto number = [](const nlohmann::json& in, const char* name) { return in.value(name, uint64_t{0}); };
  return Counts{number(*info, "num_pending"), number(*info, "num_ack_pending"),
                number(info->value("delivered", nlohmann::json::object()), "stream_seq"),
                number(info->value("ack_floor", nlohmann::json::object()), "stream_seq")};
}

std::optional<JobStream::Counts> JobStream::counts() {
  Counts out;
  for (size_t queue = 0; queue < queues_; ++queue) {
    const std::optional<Counts> one = counts(queue);
    if (!one) return std::nullopt;
    out.waiting += one->waiting;
    out.delivered += one->delivered;
  }
  return out;
}

void JobStream::remove_message(uint64_t sequence) {
  bus_.publish("$JS.API.STREAM.MSG.DELETE." + name_, nlohmann::json{{"seq", sequence}}.dump());
}

}  // namespace levin::core::tasks
