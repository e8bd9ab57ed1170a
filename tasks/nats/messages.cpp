#include "tasks/nats/messages.hpp"

#include <cstring>

namespace levin::core::tasks {
namespace {

constexpr uint32_t version = 0x4c540002;  // "LT", 2

struct TaskHead {
  uint32_t version, attempt;
  uint64_t index, size;
  uint32_t chunks, stored, copy, reserved;
};
struct RecordHead {
  uint32_t version, attempt;
  uint64_t index, size;
  double seconds;
  uint32_t how, worker, chunks, stored;
};

template <class Head>
void append_head(std::string& out, const Head& head) {
  out.append(reinterpret_cast<const char*>(&head), sizeof head);
}

// Takes a head off the front. Returns false if it is no head of this version.
template <class Head>
bool take_head(std::string_view& bytes, Head& head) {
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  return head.version == version;
}

bool take(std::string_view& bytes, size_t n, std::string& to) {
  if (bytes.size() < n) return false;
  to.assign(bytes.data(), n);
  bytes.remove_prefix(n);
  return true;
}

// Without chunks the bytes are all here.
bool agrees(const Body& body) { return body.chunks > 0 || body.bytes.size() == body.size; }

}  // namespace

std::string packed(const TaskMessage& message) {
  std::string out;
  append_head(out, TaskHead{version, message.attempt, message.index, message.body.size, message.body.chunks,
                            static_cast<uint32_t>(message.body.bytes.size()), message.copy, 0});
  return out += message.body.bytes;
}

std::optional<TaskMessage> unpacked_message(std::string_view bytes) {
  TaskHead head{};
  TaskMessage out;
  if (!take_head(bytes, head) || !take(bytes, head.stored, out.body.bytes) || !bytes.empty()) return std::nullopt;
  out.index = head.index;
  out.attempt = head.attempt;
  out.copy = head.copy != 0;
  out.body.chunks = head.chunks;
  out.body.size = head.size;
  return agrees(out.body) ? std::optional(std::move(out)) : std::nullopt;
}

void append(std::string& message, const ResultRecord& record) {
  append_head(message, RecordHead{version, record.attempt, record.index, record.body.size, record.seconds,
                                  static_cast<uint32_t>(record.how), static_cast<uint32_t>(record.worker.size()),
                                  record.body.chunks, static_cast<uint32_t>(record.body.bytes.size())});
  message += record.worker;
  message += record.body.bytes;
}

std::optional<std::vector<ResultRecord>> unpacked_records(std::string_view bytes) {
  std::vector<ResultRecord> out;
  while (!bytes.empty()) {
    RecordHead head{};
    ResultRecord one;
    if (!take_head(bytes, head) || !take(bytes, head.worker, one.worker) || !take(bytes, head.stored, one.body.bytes) ||
        head.how > static_cast<uint32_t>(Ended::note))
      return std::nullopt;
    one.index = head.index;
    one.attempt = head.attempt;
    one.seconds = head.seconds;
    one.how = static_cast<Ended>(head.how);
    one.body.chunks = head.chunks;
    one.body.size = head.size;
    if (!agrees(one.body)) return std::nullopt;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace levin::core::tasks
