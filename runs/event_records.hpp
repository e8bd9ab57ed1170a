// What event files hold, as TensorBoard's writers of any program write them.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace levin::core {

enum class EventKind { scalar, image, audio, text, histogram, pr_curve };

struct EventValue {
  EventKind kind = EventKind::scalar;
  std::string tag;
  double step = 0, time = 0;           // time: seconds since 1970; 0 = not known
  double value = 0;                    // of a scalar
  size_t offset = 0, length = 0;       // of the bytes of an image or a sound, or of a text, in the bytes that were read
  std::vector<double> limits, counts;  // of a histogram: the upper limit and the count of each bucket
  double lowest = 0;                   // of a histogram
  std::vector<double> precision, recall;  // of a PR curve, by its thresholds from 0 to 1
};

// Adds the values of the whole records at the beginning of `bytes`. Records that are damaged or hold something else are
// left out. Returns the number of bytes of whole records. Format: TensorFlow's record_writer.cc, event.proto and
// summary.proto.
size_t read_event_records(const std::string& bytes, std::vector<EventValue>& out);

}  // namespace levin::core
