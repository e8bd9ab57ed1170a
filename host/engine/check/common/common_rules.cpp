#include "host/engine/check/common/common_rules.hpp"

#include <ATen/ops/equal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/components/component.hpp"

namespace levin::core {
namespace {

nlohmann::json number_of(const OptionSchema& option, double value) {
  if (option.type == LEVIN_T_INT) return static_cast<int64_t>(value);
  return value;
}

nlohmann::json any_value(const OptionSchema& option) {
  const bool bounded = option.min <= option.max;
  switch (option.type) {
    case LEVIN_T_BOOL:
      return false;
    case LEVIN_T_INT:
    case LEVIN_T_FLOAT:
      return number_of(option, bounded ? option.min : 0);
    case LEVIN_T_CHOICE:
      return option.choices.empty() ? "" : option.choices.front();
    case LEVIN_T_JSON:
      return nlohmann::json::object();
    case LEVIN_T_INTS:
      return nlohmann::json::array();
    default:
      return option.name == "monitor" ? "val_loss" : "";  // logged by the fake model
  }
}

// Returns the values to try besides the default: null if allowed, both bools, every choice, and both bounds.
std::vector<nlohmann::json> extremes(const OptionSchema& option) {
  std::vector<nlohmann::json> out;
  if (option.flags & LEVIN_OPT_NULLABLE) out.push_back(nullptr);
  if (option.type == LEVIN_T_BOOL) out.insert(out.end(), {true, false});
  for (const std::string& choice : option.choices) out.push_back(choice);
  const bool number = option.type == LEVIN_T_INT || option.type == LEVIN_T_FLOAT;
  if (number && option.min <= option.max)
    out.insert(out.end(), {number_of(option, option.min), number_of(option, option.max)});
  return out;
}

// Limits the memory of the process while it lives. An option at its upper bound, such as a width, may need more memory
// than the machine has. The limit makes the plugin's allocation fail before memory runs out.
class MemoryLimit {
 public:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  MemoryLimit() {}  // a sanitizer maps more memory than any limit
#else
  MemoryLimit() {
    if (getrlimit(RLIMIT_DATA, &before_) != 0) return;
    rlimit limit = before_;
    limit.rlim_cur = std::min<rlim_t>(before_.rlim_max, 3ull << 30);
    setrlimit(RLIMIT_DATA, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_DATA, &before_); }
#endif
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

bool out_of_memory(const std::string& text) {
  for (const char* sign : {"memory", "alloc", "bad_alloc"})
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

// Throws Skip if a value for a required option cannot be derived from the schema, as for text or JSON.
std::string check_defaults(const Subject& subject) {
  for (int i = 0; i < 2; ++i) try {
      make_component(subject.create());
    } catch (const Error& e) {
      for (const OptionSchema& o : subject.schema.options)
        if ((o.flags & LEVIN_OPT_REQUIRED) && o.choices.empty() && o.min > o.max && e.kind() == ErrorKind::usage)
          throw Skip{"there is no value to try for the required option '" + o.name + "'; give one with --" +
                     kind_name(subject.schema.kind) + "." + o.name + " VALUE: " + e.what()};
      throw;
    }
  return "";
}

// The plugin may reject a value with a reason. The rule fails if an exception escapes or nothing is created.
std::string check_extremes(const Subject& subject) {
  const MemoryLimit limit;
  int made = 0, refused = 0;
  for (const OptionSchema& option : subject.schema.options)
    for (const nlohmann::json& value : extremes(option)) {
      nlohmann::json options = subject.defaults;
      options[option.name] = value;
      try {
        make_component(subject.create(options));
        ++made;
      } catch (const Error& e) {
        const std::string text = e.what();
        const bool huge = value.is_number() && std::abs(value.get<double>()) > 1e4 && out_of_memory(text);
        const bool foreign = dynamic_cast<const ForeignException*>(&e) != nullptr;
        const bool refusal = e.kind() == ErrorKind::run || e.kind() == ErrorKind::usage;
        if (!refusal || (foreign && !huge)) return option.name + "=" + value.dump() + ": " + text;
        ++refused;
      }
    }
  if (made + refused == 0) throw Skip{"no option has bounds or choices"};
  return "";
}

std::string check_round_trip(const Subject& subject) {
  const auto first = make_component(subject.create());
  if (!first->has_state()) throw Skip{"it has no state"};
  const StateBag bag = saved_state(*first);
  const auto second = make_component(subject.create());
  second->load(bag.reader(subject.schema.version.c_str()));
  const std::string problem = difference(bag, saved_state(*second));
  if (!problem.empty()) return problem;
  // Also loads an empty state: the state of an older version may lack newer keys.
  const StateBag empty;
  try {
    make_component(subject.create())->load(empty.reader("0"));
  } catch (const ForeignException& e) {
    return e.what();
  } catch (const Error&) {  // it may refuse the state with a reason
  }
  return "";
}

std::string check_leaked_state(const Subject& subject) {
  const auto first = make_component(subject.create());
  if (!first->has_state()) throw Skip{"it has no state"};
  const StateBag bag = saved_state(*first);
  if (bag.tensors().empty()) throw Skip{"its state has no tensors"};
  make_component(subject.create())->load(bag.reader(subject.schema.version.c_str()));
  for (const auto& [key, tensor] : bag.tensors())
    if (tensor.use_count() > 1) return "the tensor '" + key + "' that load was given is never released";
  return "";
}

}  // namespace

nlohmann::json default_options(const ComponentSchema& schema) {
  nlohmann::json out = nlohmann::json::object();
  for (const OptionSchema& option : schema.options)
    out[option.name] = (option.flags & LEVIN_OPT_REQUIRED) ? any_value(option) : option.deflt;
  return out;
}

nlohmann::json options_of(const ComponentSchema& schema, const nlohmann::json& given) {
  nlohmann::json out = default_options(schema);
  const auto own = given.find(std::string(kind_name(schema.kind)) + "." + schema.id);
  if (own != given.end()) out.update(*own);
  return out;
}

StateBag saved_state(Component& component) {
  StateBag bag;
  component.save(bag.writer());
  return bag;
}

std::string difference(const StateBag& a, const StateBag& b) {
  if (a.bytes().size() != b.bytes().size() || a.tensors().size() != b.tensors().size())
    return "the second state has other keys than the first";
  for (const auto& [key, value] : a.bytes())
    if (!b.bytes().count(key) || b.bytes().at(key) != value) return "'" + key + "' differs after a round trip";
  for (const auto& [key, value] : a.tensors())
    if (!b.tensors().count(key) || !at::equal(b.tensors().at(key), value))
      return "'" + key + "' differs after a round trip";
  return "";
}

std::map<std::string, std::string> described(const StateBag& state) {
  const auto shown = [](const std::string& bytes, const std::string& what) {
    return what + " (hash " + std::to_string(std::hash<std::string>()(bytes)) + ")";
  };
  std::map<std::string, std::string> out;
  for (const auto& [key, bytes] : state.bytes()) {
    const auto type = state.types().find(key);
    int64_t number = 0;
    if (type != state.types().end() && type->second == "int64" && bytes.size() == sizeof number) {
      std::memcpy(&number, bytes.data(), sizeof number);
      out[key] = std::to_string(number);
    } else {
      out[key] = shown(bytes, std::to_string(bytes.size()) + " bytes");
    }
  }
  for (const auto& [key, tensor] : state.tensors()) {
    const at::Tensor whole = tensor.contiguous();
    out[key] = shown({static_cast<const char*>(whole.data_ptr()), whole.nbytes()}, "a tensor");
  }
  return out;
}

bool check_creation(Report& report, const Subject& subject) {
  const bool made =
      report.check(2, "is created and destroyed with its options", [&] { return check_defaults(subject); });
  if (made)
    report.check(3, "is created, or refuses with a reason, at the bounds and with each choice of its options",
                 [&] { return check_extremes(subject); });
  return made;
}

void check_state(Report& report, const Subject& subject) {
  report.check(4, "state: the same after it is saved, loaded into a new instance and saved again",
               [&] { return check_round_trip(subject); });
  report.check(5, "state: every tensor passed to load is released", [&] { return check_leaked_state(subject); });
}

}  // namespace levin::core
