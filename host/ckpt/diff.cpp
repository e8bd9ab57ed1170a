#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "host/ckpt/ckpt_file.hpp"
#include "host/ckpt/elements.hpp"
#include "host/ckpt/verbs.hpp"
#include "host/compose/changed_values.hpp"

namespace levin::core::ckpt {
namespace {

using nlohmann::json;
constexpr size_t most_lines = 20;

struct TensorChange {
  std::string name, what;  // "only in A", "F32 [3] and F32 [4]", "largest difference 0.5, ..."
  double largest = 0;      // infinity = not known
};

std::string type_of(const TensorView& t) { return t.dtype + " " + shape_text(t.shape); }

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

TensorChange compare_elements(const std::string& name, const TensorView& a, const TensorView& b) {
  TensorChange out{name, "", std::numeric_limits<double>::infinity()};
  if (!is_readable(a.dtype)) return out.what = "other bytes", out;
  const ReadElement read = reader_of(a.dtype);
  const uint64_t n = element_count(a);
  double largest = 0, sum = 0;
  uint64_t differ = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const double x = read(a.data, i), y = read(b.data, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    ++differ;
    const double difference = std::isnan(x - y) ? std::numeric_limits<double>::infinity() : std::fabs(x - y);
    largest = std::max(largest, difference);
    sum += difference;
  }
  out.largest = largest;
  out.what = "largest difference " + number_text(largest) + ", mean " + number_text(sum / static_cast<double>(n)) +
             ", in " + std::to_string(differ) + " of " + std::to_string(n);
  return out;
}

std::vector<TensorChange> tensor_changes(const CkptFile& a, const CkptFile& b, size_t& same) {
  std::vector<TensorChange> out;
  const double unknown = std::numeric_limits<double>::infinity();
  for (const std::string& name : a.reader.names()) {
    if (!b.reader.contains(name)) {
      out.push_back({name, "only in the first", unknown});
      continue;
    }
    const TensorView x = a.reader.tensor(name), y = b.reader.tensor(name);
    if (x.dtype != y.dtype || x.shape != y.shape)
      out.push_back({name, type_of(x) + " and " + type_of(y), unknown});
    else if (x.bytes == 0 || std::memcmp(x.data, y.data, x.bytes) == 0)
      ++same;
    else
      out.push_back(compare_elements(name, x, y));
  }
  for (const std::string& name : b.reader.names())
    if (!a.reader.contains(name)) out.push_back({name, "only in the second", unknown});
  std::stable_sort(out.begin(), out.end(),
                   [](const TensorChange& x, const TensorChange& y) { return x.largest > y.largest; });
  return out;
}

// Returns the differing manifest values by key: options, plugins, counters.
json manifest_changes(const json& a, const json& b) {
  const json x = a.empty() ? json::object() : a.flatten(), y = b.empty() ? json::object() : b.flatten();
  return changed_values(x, y);
}

std::string key_text(const std::string& pointer) {
  std::string out = pointer.substr(1);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

void print_limited(size_t n, bool all, const char* what, const std::function<void(size_t)>& print) {
  const size_t shown = all ? n : std::min(n, most_lines);
  for (size_t i = 0; i < shown; ++i) print(i);
  if (shown < n) std::printf("  and %zu more %s: --all shows them\n", n - shown, what);
}

}  // namespace

int diff(const Arguments& arguments) {
  const CkptFile a(arguments.names[0]), b(arguments.names[1]);
  size_t same = 0;
  const std::vector<TensorChange> tensors = tensor_changes(a, b, same);
  const json values = manifest_changes(a.reader.manifest(), b.reader.manifest());
  if (arguments.has("json")) {
    json list = json::array();
    for (const TensorChange& t : tensors)
      list.push_back({{"name", t.name}, {"what", t.what}, {"largest", number_to_json(t.largest)}});
    const json answer = {
        {"first", a.path}, {"second", b.path}, {"tensors", list}, {"same", same}, {"manifest", values}};
    std::printf("%s\n", answer.dump(2, ' ', false, json::error_handler_t::replace).c_str());
    return 0;
  }
  std::printf("%zu tensors are the same, %zu differ\n", same, tensors.size());
  print_limited(tensors.size(), arguments.has("all"), "tensors", [&](size_t i) {
    std::printf("  %s: %s\n", printable(tensors[i].name).c_str(), tensors[i].what.c_str());
  });
  std::printf("%zu values of the manifest differ\n", values.size());
  auto item = values.begin();
  print_limited(values.size(), arguments.has("all"), "values", [&](size_t) {
    std::printf("  %s: %s and %s\n", printable(key_text(item.key())).c_str(),
                changed_text(item.value(), "first").c_str(), changed_text(item.value(), "second").c_str());
    ++item;
  });
  return 0;
}

}  // namespace levin::core::ckpt
