// What drivers and workers write into the stream of a job.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/engine/engine.hpp"

namespace levin::core::tasks {

// Bytes in a message, or, if they are too many for one, the name of a blob that has them.
struct Body {
  uint32_t chunks = 0;  // of the blob; 0 = `bytes` has the bytes
  uint64_t size = 0;    // of the bytes
  std::string bytes;    // or the name of the blob
};

struct TaskMessage {
  uint64_t index = 0;
  uint32_t attempt = 0;
  Body body;          // packed_task()
  bool copy = false;  // the task has another message
};
std::string packed(const TaskMessage& message);
std::optional<TaskMessage> unpacked_message(std::string_view bytes);  // nullopt: it is damaged

// How an attempt has ended. A message has one or more.
struct ResultRecord {
  uint64_t index = 0;
  uint32_t attempt = 0;
  Ended how{};
  double seconds = 0;
  std::string worker;
  Body body;
};
void append(std::string& message, const ResultRecord& record);
std::optional<std::vector<ResultRecord>> unpacked_records(std::string_view bytes);

}  // namespace levin::core::tasks
