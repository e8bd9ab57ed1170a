// Scalars in event files, as TensorBoard's writers of any program write them.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace levin::core {

// Calls visit(tag, step, value) for each scalar of the whole records at the beginning of `bytes`. Records that are
// damaged or hold something else are left out. Returns the number of bytes of whole records. Format: TensorFlow's
// record_writer.cc and event.proto.
size_t read_event_records(const std::string& bytes,
                          const std::function<void(const std::string&, double, double)>& visit);

}  // namespace levin::core
