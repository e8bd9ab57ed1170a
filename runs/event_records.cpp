#include "runs/event_records.hpp"

#include <cstdint>
#include <cstring>
#include <protozero/pbf_reader.hpp>

namespace levin::core {
namespace {

using protozero::pbf_reader;
constexpr uint64_t longest_record = (1 << 28) - 16;

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

bool is_bytes(const pbf_reader& field) { return field.wire_type() == protozero::pbf_wire_type::length_delimited; }

class Records {
 public:
  Records(const std::string& bytes, std::vector<EventValue>& out) : begin_(bytes.data()), out_(out) {}

  void read_event(pbf_reader event) {
    double step = 0, time = 0;
    protozero::data_view summary;
    while (event.next()) {
      if (event.tag() == 1 && event.wire_type() == protozero::pbf_wire_type::fixed64)
        time = event.get_double();
      else if (event.tag() == 2 && event.wire_type() == protozero::pbf_wire_type::varint)
        step = static_cast<double>(event.get_int64());
      else if (event.tag() == 5 && is_bytes(event))
        summary = event.get_view();
      else
        event.skip();
    }
    if (summary.size() == 0) return;
    pbf_reader values(summary);
    while (values.next())
      if (values.tag() == 1 && is_bytes(values))
        read_value(values.get_message(), step, time);
      else
        values.skip();
  }

 private:
  void read_value(pbf_reader field, double step, double time) {
    EventValue value;
    value.step = step, value.time = time;
    bool found = false;
    protozero::data_view tensor, metadata;
    while (field.next()) {
      if (field.tag() == 1 && is_bytes(field))
        value.tag = field.get_string();
      else if (field.tag() == 2 && field.wire_type() == protozero::pbf_wire_type::fixed32)
        value.value = static_cast<double>(field.get_float()), found = true;
      else if (field.tag() == 4 && is_bytes(field))
        found = read_encoded(EventKind::image, field.get_message(), value);
      else if (field.tag() == 6 && is_bytes(field))
        found = read_encoded(EventKind::audio, field.get_message(), value);
      else if (field.tag() == 5 && is_bytes(field))
        found = read_histogram(field.get_message(), value);
      else if (field.tag() == 8 && is_bytes(field))
        tensor = field.get_view();
      else if (field.tag() == 9 && is_bytes(field))
        metadata = field.get_view();
      else
        field.skip();
    }
    if (!found && tensor.size() > 0) {
      const std::string plugin = plugin_in(metadata);
      found = plugin == "text"        ? read_text(pbf_reader(tensor), value)
              : plugin == "pr_curves" ? read_pr_curve(pbf_reader(tensor), value)
                                      : scalar_in_tensor(pbf_reader(tensor), value.value);
    }
    if (found && !value.tag.empty()) out_.push_back(std::move(value));
  }

  // The bytes of an image are field 4 of its message, and those of a sound, too.
  bool read_encoded(EventKind kind, pbf_reader field, EventValue& value) {
    while (field.next())
      if (field.tag() == 4 && is_bytes(field))
        return place(field.get_view(), kind, value);
      else
        field.skip();
    return false;
  }

  bool read_text(pbf_reader tensor, EventValue& value) {
    while (tensor.next())
      if (tensor.tag() == 8 && is_bytes(tensor))
        return place(tensor.get_view(), EventKind::text, value);
      else
        tensor.skip();
    return false;
  }

  static bool read_histogram(pbf_reader field, EventValue& value) {
    value.kind = EventKind::histogram;
    while (field.next()) {
      if (field.tag() == 1 && field.wire_type() == protozero::pbf_wire_type::fixed64) {
        value.lowest = field.get_double();
      } else if ((field.tag() == 6 || field.tag() == 7) && is_bytes(field)) {
        auto& numbers = field.tag() == 6 ? value.limits : value.counts;
        for (const double number : field.get_packed_double()) numbers.push_back(number);
      } else {
        field.skip();
      }
    }
    return !value.limits.empty() && value.limits.size() == value.counts.size();
  }

  // Six rows of floats; the last ones are precision and recall.
  static bool read_pr_curve(pbf_reader tensor, EventValue& value) {
    std::vector<double> numbers;
    while (tensor.next()) {
      if (tensor.tag() == 4 && is_bytes(tensor)) {
        const auto view = tensor.get_view();
        for (size_t i = 0; i + 4 <= view.size(); i += 4)
          numbers.push_back(static_cast<double>(number_at<float>(view.data() + i)));
      } else if (tensor.tag() == 5 && is_bytes(tensor)) {
        for (const float number : tensor.get_packed_float()) numbers.push_back(static_cast<double>(number));
      } else {
        tensor.skip();
      }
    }
    const auto n = static_cast<std::ptrdiff_t>(numbers.size() / 6);
    if (n == 0 || numbers.size() % 6 != 0) return false;
    value.kind = EventKind::pr_curve;
    value.precision.assign(numbers.begin() + 4 * n, numbers.begin() + 5 * n);
    value.recall.assign(numbers.begin() + 5 * n, numbers.end());
    return true;
  }

  static std::string plugin_in(protozero::data_view metadata) {
    pbf_reader field(metadata);
    while (field.next())
      if (field.tag() == 1 && is_bytes(field)) {
        pbf_reader plugin = field.get_message();
        return plugin.next(1) && is_bytes(plugin) ? plugin.get_string() : "";
      } else {
        field.skip();
      }
    return "";
  }

  bool place(protozero::data_view bytes, EventKind kind, EventValue& value) const {
    value.kind = kind;
    value.offset = static_cast<size_t>(bytes.data() - begin_);
    value.length = bytes.size();
    return value.length > 0;
  }

  const char* begin_;
  std::vector<EventValue>& out_;
};

}  // namespace

size_t read_event_records(const std::string& bytes, std::vector<EventValue>& out) {
  size_t at = 0;
  Records records(bytes, out);
  while (bytes.size() - at >= 16) {
    const auto length = number_at<uint64_t>(bytes.data() + at);
    if (length > longest_record || length > bytes.size() - at - 16) break;  // unfinished, or no record at all
    try {
      records.read_event(pbf_reader(bytes.data() + at + 12, static_cast<size_t>(length)));
    } catch (const protozero::exception&) {
    }
    at += 16 + static_cast<size_t>(length);
  }
  return at;
}

}  // namespace levin::core
