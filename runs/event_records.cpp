#include "runs/event_records.hpp"

#include <cstdint>
#include <cstring>
#include <protozero/pbf_reader.hpp>

namespace levin::core {
namespace {

using protozero::pbf_reader;
using Visit = std::function<void(const std::string&, double, double)>;

constexpr uint64_t longest_record = 1 << 28;

template <class T>
T number_at(const char* place) {
  T out;
  std::memcpy(&out, place, sizeof out);
  return out;
}

// A scalar as a tensor of one number, as TensorFlow 2 and newer writers have it. DT_FLOAT is 1, DT_DOUBLE 2.
bool scalar_in_tensor(pbf_reader tensor, double& out) {
  int type = 0;
  bool found = false;
  while (tensor.next()) {
    if (tensor.tag() == 1 && tensor.wire_type() == protozero::pbf_wire_type::varint) {
      type = tensor.get_enum();
    } else if (tensor.tag() == 4 &&
               tensor.wire_type() == protozero::pbf_wire_type::length_delimited) {  // tensor_content
      const auto view = tensor.get_view();
      if (type == 1 && view.size() == 4) out = static_cast<double>(number_at<float>(view.data())), found = true;
      if (type == 2 && view.size() == 8) out = number_at<double>(view.data()), found = true;
    } else if (tensor.tag() == 5 && tensor.wire_type() == protozero::pbf_wire_type::length_delimited) {  // float_val
      const auto values = tensor.get_packed_float();
      if (values.size() == 1) out = static_cast<double>(*values.begin()), found = true;
    } else if (tensor.tag() == 6 && tensor.wire_type() == protozero::pbf_wire_type::length_delimited) {  // double_val
      const auto values = tensor.get_packed_double();
      if (values.size() == 1) out = *values.begin(), found = true;
    } else {
      tensor.skip();
    }
  }
  return found;
}

void read_value(pbf_reader value, double step, const Visit& visit) {
  std::string tag;
  double number = 0;
  bool found = false;
  while (value.next()) {
    if (value.tag() == 1 && value.wire_type() == protozero::pbf_wire_type::length_delimited)
      tag = value.get_string();
    else if (value.tag() == 2 && value.wire_type() == protozero::pbf_wire_type::fixed32)
      number = static_cast<double>(value.get_float()), found = true;
    else if (value.tag() == 8 && value.wire_type() == protozero::pbf_wire_type::length_delimited)
      found = scalar_in_tensor(value.get_message(), number) || found;
    else
      value.skip();
  }
  if (found && !tag.empty()) visit(tag, step, number);
}

void read_event(pbf_reader event, const Visit& visit) {
  double step = 0;
  protozero::data_view summary;
  while (event.next()) {
    if (event.tag() == 2 && event.wire_type() == protozero::pbf_wire_type::varint)
      step = static_cast<double>(event.get_int64());
    else if (event.tag() == 5 && event.wire_type() == protozero::pbf_wire_type::length_delimited)
      summary = event.get_view();
    else
      event.skip();
  }
  if (summary.size() == 0) return;
  pbf_reader values(summary);
  while (values.next())
    if (values.tag() == 1 && values.wire_type() == protozero::pbf_wire_type::length_delimited)
      read_value(values.get_message(), step, visit);
    else
      values.skip();
}

}  // namespace

size_t read_event_records(const std::string& bytes, const Visit& visit) {
  size_t at = 0;
  while (bytes.size() - at >= 16) {
    const auto length = number_at<uint64_t>(bytes.data() + at);
    if (length > longest_record || length > bytes.size() - at - 16) break;  // unfinished, or no record at all
    try {
      read_event(pbf_reader(bytes.data() + at + 12, static_cast<size_t>(length)), visit);
    } catch (const protozero::exception&) {
    }
    at += 16 + static_cast<size_t>(length);
  }
  return at;
}

}  // namespace levin::core
