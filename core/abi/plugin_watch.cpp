#include "core/abi/plugin_watch.hpp"

#include <ATen/ops/isfinite.h>
#include <c10/core/GradMode.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <sstream>
#include <utility>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

// The last call that returned on this thread.
thread_local std::string last_call;

std::string name_of_call(const Breadcrumb& at) {
  std::string out = at.plugin;
  out += ": ";
  if (at.instance) out += std::string(at.instance) + ".";
  return out + (at.call ? at.call : "?");
}

std::string caller() {
  if (breadcrumb.plugin) return name_of_call(breadcrumb);
  const std::string plugin = plugin_on_stack();
  if (!plugin.empty()) return plugin + ": in a thread of its own";
  return last_call.empty() ? "a thread of a plugin" : last_call;
}

std::string plugin_of_caller() { return breadcrumb.plugin ? breadcrumb.plugin : plugin_on_stack(); }

// Returns the first value that is not finite, "nan at [3, 0]", or "". rows: as in value().
std::string not_finite(const at::Tensor& tensor, const int64_t* rows = nullptr) {
  if (!tensor.defined() || !tensor.is_floating_point() || tensor.numel() == 0) return "";
  const at::NoGradGuard no_grad;
  const at::Tensor finite = at::isfinite(tensor.detach());
  if (finite.all().item<bool>()) return "";
  const at::Tensor place = finite.logical_not().nonzero()[0];
  at::Tensor value = tensor.detach();
  std::ostringstream where;
  for (int64_t d = 0; d < place.numel(); ++d) {
    const int64_t i = place[d].item<int64_t>();
    value = value.select(0, i);
    where << (d ? ", " : " at [") << i;
  }
  std::ostringstream out;
  out << value.item<double>() << where.str() << (place.numel() ? "]" : "");
  if (rows && place.numel()) out << ", in row " << rows[place[0].item<int64_t>()] << " of the data";
  return out.str();
}

}  // namespace

std::string plugin_on_stack() {
  void* frames[32];
  const int n = backtrace(frames, 32);
  for (int i = 0; i < n; ++i) {
    Dl_info where;
    if (!dladdr(frames[i], &where) || !where.dli_fname) continue;
    void* library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    const bool plugin = library && dlsym(library, LEVIN_ENTRY_NAME) != nullptr;
    if (library) dlclose(library);
    const std::string path = where.dli_fname;
    if (plugin) return path.substr(path.rfind('/') + 1);
  }
  return "";
}

PluginWatch::PluginWatch() : training_thread_(std::this_thread::get_id()) { installed_watch = this; }

PluginWatch::~PluginWatch() { installed_watch = nullptr; }

void PluginWatch::refuse(const std::string& what) { refuse(caller(), what); }

// Stores the violation for returned() too, because the plugin may ignore the error.
void PluginWatch::refuse(const std::string& who, const std::string& what) {
  const std::string text = who + ": " + what;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (problem_.empty()) problem_ = text;
  }
  throw Error(ErrorCode::plugin_misuses_memory, text);
}

void PluginWatch::portable(const std::string& plugin) {
  const std::lock_guard<std::mutex> lock(mutex_);
  portable_.insert(plugin);
}

void PluginWatch::lent(levin_tensor* handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  handles_.lend(handle);
}

void PluginWatch::handed_over(levin_tensor* handle) {
  const std::string plugin = plugin_of_caller();
  const std::lock_guard<std::mutex> lock(mutex_);
  plugins_.insert(plugin);
  handles_.hand_over(handle, plugin);
}

void PluginWatch::used(levin_tensor* handle) {
  const std::string plugin = plugin_of_caller();
  std::string problem;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    problem = handles_.use(handle, portable_.count(plugin) > 0);
  }
  if (!problem.empty()) refuse("uses a tensor that it must not: " + problem);
}

void PluginWatch::handed_back(levin_tensor* handle) {
  const std::string plugin = plugin_of_caller(), who = caller();
  std::string problem;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    problem = handles_.hand_back(handle, plugin, who, portable_.count(plugin) > 0);
  }
  if (!problem.empty()) refuse(who, "releases a tensor that it must not: " + problem);
}

void PluginWatch::on_training_thread(const char* service) {
  if (is_training_thread || std::this_thread::get_id() == training_thread_) return;
  refuse(std::string("calls ") + service + " from another thread than the training thread");
}

void PluginWatch::value(const Breadcrumb& who, const std::string& what, const at::Tensor& tensor, const int64_t* rows) {
  const std::string problem = not_finite(tensor, rows);
  if (!problem.empty())
    throw Error(ErrorCode::plugin_misuses_memory, name_of_call(who) + ": " + what + " is " + problem);
}

void PluginWatch::watch_parameters(std::function<void(const Visit&)> parameters) {
  parameters_ = std::move(parameters);
  versions_.clear();
}

void PluginWatch::parameters_changed(const std::string& what) {
  if (parameters_ && std::this_thread::get_id() == training_thread_)
    parameters_([&](const std::string& name, const at::Tensor& parameter) {
      versions_[name] = static_cast<int64_t>(parameter._version());
      const std::string problem = not_finite(parameter);
      if (!problem.empty())
        throw Error(ErrorCode::plugin_misuses_memory, what + ": the parameter '" + name + "' is " + problem);
    });
}

// Checks only the parameters that have changed since the last call, according to autograd's version counters.
void PluginWatch::returned() {
  last_call = name_of_call(breadcrumb);
  const std::string problem = take_problem();
  if (!problem.empty()) throw Error(ErrorCode::plugin_misuses_memory, problem);
  if (!parameters_ || std::this_thread::get_id() != training_thread_) return;
  parameters_([&](const std::string& name, const at::Tensor& parameter) {
    const auto now = static_cast<int64_t>(parameter._version());
    const auto [known, is_new] = versions_.emplace(name, now);
    if (!is_new && known->second == now) return;
    known->second = now;
    const std::string wrong = not_finite(parameter);
    if (!wrong.empty())
      throw Error(ErrorCode::plugin_misuses_memory,
                  last_call + ": since this call the parameter '" + name + "' is " + wrong);
  });
}

std::string PluginWatch::take_problem() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(problem_, {});
}

std::vector<std::string> PluginWatch::leaks() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> out;
  for (const std::string& plugin : plugins_) {
    std::string list;
    int64_t n = 0;
    for (const auto& [what, count] : handles_.held_by(plugin)) {
      n += count;
      list += (list.empty() ? "" : ", ") + std::to_string(count) + " of " + what;
    }
    if (n == 0) continue;
    const std::string who = plugin.empty() ? "a plugin" : plugin;
    out.push_back(who + " never released " + std::to_string(n) + (n == 1 ? " tensor: " : " tensors: ") + list);
  }
  return out;
}

}  // namespace levin::core
