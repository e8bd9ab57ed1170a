// Memory shared by the processes of one machine. It has no name: it is freed when the last process ends, even if
// killed.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace levin::core {

// How the ranks of a node exchange the location of the memory.
struct SegmentExchange {
  int rank = 0;  // within the node
  int size = 1;
  std::function<void(const std::string& key, const std::string& value)> publish;
  std::function<std::string(const std::string& key)> fetch;  // blocks until the key is set, or throws
};

class SharedSegment {
 public:
  // Called by all ranks together. Either all ranks get the memory or none: then reason() says why. Rethrows exceptions
  // of publish and fetch, and throws no others.
  SharedSegment(const SegmentExchange& exchange, size_t bytes);
  ~SharedSegment();
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  // Zero-initialized and page-aligned. nullptr = no memory.
  void* data() const { return data_; }
  const std::string& reason() const { return reason_; }

 private:
  void offer(const SegmentExchange& exchange);
  void join(const SegmentExchange& exchange);
  void map(int file);
  void release();

  size_t bytes_;
  void* memory_ = nullptr;  // a page with the token, followed by data_
  void* data_ = nullptr;
  std::string reason_;
};

}  // namespace levin::core
