// Memory that the processes of one machine share. It has no name anywhere: when the last process is gone, killed or
// not, so is the memory.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace levin::core {

// How the ranks of a node tell each other where the memory is.
struct SegmentExchange {
  int rank = 0;  // within the node
  int size = 1;
  std::function<void(const std::string& key, const std::string& value)> publish;
  std::function<std::string(const std::string& key)> fetch;  // waits until the key is there, or throws
};

class SharedSegment {
 public:
  // Called by all ranks together. It has the memory either on all ranks or on none: then reason() says why. Throws only
  // what publish and fetch throw.
  SharedSegment(const SegmentExchange& exchange, size_t bytes);
  ~SharedSegment();
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;

  // Zeros at first; begins at a page. nullptr if there is none.
  void* data() const { return data_; }
  const std::string& reason() const { return reason_; }

 private:
  void offer(const SegmentExchange& exchange);
  void join(const SegmentExchange& exchange);
  void map(int file);
  void release();

  size_t bytes_;
  void* memory_ = nullptr;  // a page with the token, then data_
  void* data_ = nullptr;
  std::string reason_;
};

}  // namespace levin::core
