#include "conformance/plugins/script.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace scripted {
namespace {

bool fits(const json& entry, const char* key, int64_t value) { return !entry.contains(key) || entry.at(key) == value; }

int8_t flag_of(const json& kwargs, const char* name, int8_t otherwise) {
  const auto found = kwargs.find(name);
  if (found == kwargs.end() || found->is_null()) return otherwise;
  return found->get<bool>() ? 1 : 0;
}

bool sanity_checking(const levin::Run& run) { return run.stage() == "sanity_check"; }

json files_of(const std::string& folder) {
  json names = json::array();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Non-finite numbers are written as text.
double number_of(const json& item) {
  return item.is_string() ? std::strtod(item.get_ref<const std::string&>().c_str(), nullptr) : item.get<double>();
}

double value_of(const json& value, const Place& at, int64_t calls) {
  if (value.contains("batch_mean")) return mean(values_of(at.run.host(), at.batch ? at.batch->tensors[0] : nullptr));
  if (value.contains("list")) {
    const json& list = value.at("list");
    return number_of(list.at(std::min(static_cast<size_t>(calls), list.size() - 1)));
  }
  if (value.contains("int")) return static_cast<double>(value.at("int").get<int64_t>());
  if (value.contains("bool")) return value.at("bool").get<bool>() ? 1 : 0;
  if (value.contains("by_epoch"))
    return number_of(value.at("by_epoch").at(static_cast<size_t>(at.run.current_epoch())));
  const auto part = [&](const char* name) { return value.value(name, 0.0); };
  return part("const") + part("per_call") * static_cast<double>(calls) +
         part("per_batch_idx") * static_cast<double>(std::max<int64_t>(at.batch_idx, 0)) +
         part("per_dataloader_idx") * static_cast<double>(std::max<int64_t>(at.dataloader_idx, 0)) +
         part("per_epoch") * static_cast<double>(at.run.current_epoch());
}

json lr_of(const levin::Run& run) {
  double lr = 0;
  return run.optim().get(run.raw(), 0, 0, "lr", &lr) == LEVIN_OK ? json(lr) : json();
}

levin_tensor* tensor_of(const levin_host* host, const json& values) {
  std::vector<float> data;
  const json flat = values.flatten();
  for (const json& item : flat) data.push_back(item.get<float>());
  int64_t shape = static_cast<int64_t>(data.size());
  levin_view view{};
  view.data = data.data();
  view.device = {LEVIN_CPU, 0};
  view.ndim = 1;
  view.dtype = {LEVIN_FLOAT, 32, 1};
  view.shape = &shape;
  levin_tensor* out = nullptr;
  levin::detail::check(host->tensor_from_view(host, &view, &out), "tensor_from_view");
  return out;
}

}  // namespace

const char* stage_text(uint32_t stage) {
  constexpr const char* names[] = {"fit", "validate", "test", "predict", "sanity_check"};
  return names[stage];
}

Script::Script(const levin::Args& o, const std::string& who) : Script(json::parse(o.text("script")), who) {}

Script::Script(const json& script, const std::string& who) : json_(script), who_(script.value("who", who)) {
  const json recorded = script.value("record", json(false));
  record_all_ = recorded == true;
  if (recorded.is_array()) recorded_ = recorded.get<std::vector<std::string>>();
  calls_.resize(json_.value("logs", json::array()).size());
}

bool Script::records(const std::string& hook) const {
  return (record_all_ && hook != "on_checkpoint_durable") ||
         std::find(recorded_.begin(), recorded_.end(), hook) != recorded_.end() ||
         (json_.contains("watch") && json_.at("watch").contains(hook));
}

levin_status Script::enter(const Place& at, json args, json kwargs) {
  nothing_ = false;
  if (records(at.hook)) write(at, std::move(args), std::move(kwargs));
  const levin_status status = deeds(at);
  logs(at);
  return status;
}

void Script::write(const Place& at, json args, json kwargs) {
  json line = {{"who", who_},
               {"hook", at.hook},
               {"depth", Depth::now()},
               {"args", std::move(args)},
               {"epoch", at.run.current_epoch()},
               {"step", at.run.global_step()},
               {"stage", at.run.stage()},
               {"batch_idx", at.batch_idx}};
  if (!kwargs.is_null()) line["kwargs"] = std::move(kwargs);
  const json watch = json_.value("watch", json::object()).value(at.hook, json::array());
  for (const json& item : watch) {
    const std::string name = item.get<std::string>();
    if (name == "loss")
      line["watch"][name] = at.loss ? number(mean(values_of(at.run.host(), at.loss))) : json();
    else if (name == "lr")
      line["watch"][name] = lr_of(at.run);
    else if (name == "text")
      line["watch"][name] = at.text;
    else if (name == "files")
      line["watch"][name] = files_of(json_.at("folder").get<std::string>());
    else if (name == "items")
      line["watch"][name] = values_of(at.run.host(), at.batch ? at.batch->tensors[0] : nullptr);
    else if (at.more && (name == "w" || name == "grad"))
      line["watch"][name] = number(at.more(name));
    else
      line["watch"][name] = number(at.run.number(name.c_str()));
  }
  record(line);
}

levin_status Script::deeds(const Place& at) {
  levin_status status = LEVIN_OK;
  for (const json& deed : json_.value("script", json::array())) {
    if (deed.at("hook") != at.hook || !fits(deed, "batch_idx", at.batch_idx)) continue;
    if (deed.contains("epoch") && deed.at("epoch") != at.run.current_epoch()) continue;
    const std::string what = deed.at("do");
    if (deed.contains("step") && deed.at("step") != at.run.global_step()) continue;
    if (what == "save") at.run.save_checkpoint(deed.at("path").get<std::string>(), deed.value("weights_only", false));
    if (what == "should_stop") at.run.stop("the script");
    if (what == "raise") throw std::runtime_error("scripted failure");
    if (what == "interrupt") std::raise(SIGINT);
    if (what != "return") continue;
    const json value = deed.value("value", json());
    if (value == -1) status = LEVIN_SKIP_EPOCH;
    if (value.is_null()) nothing_ = true;
  }
  return status;
}

void Script::logs(const Place& at) {
  const auto found = json_.find("logs");
  if (found == json_.end()) return;
  for (size_t i = 0; i < found->size(); ++i) {
    const json& entry = (*found)[i];
    if (entry.at("hook") != at.hook) continue;
    if (!entry.value("in_sanity_check", false) && sanity_checking(at.run)) continue;
    log(at, entry, i);
  }
}

void Script::log(const Place& at, const json& entry, size_t index) {
  const json& kwargs = entry.at("kwargs");
  std::string name = entry.at("name");
  if (entry.contains("name_per_loader")) name = entry.at("name_per_loader").at(static_cast<size_t>(at.dataloader_idx));
  const std::string reduce = kwargs.contains("reduce_fx") ? kwargs.at("reduce_fx").get<std::string>() : "";
  levin_log l = levin::detail::log_arguments(name.c_str(), {});
  l.on_step = flag_of(kwargs, "on_step", LEVIN_LOG_DEFAULT);
  l.on_epoch = flag_of(kwargs, "on_epoch", LEVIN_LOG_DEFAULT);
  l.prog_bar = flag_of(kwargs, "prog_bar", 0);
  l.logger = flag_of(kwargs, "logger", 1);
  l.sync_dist = flag_of(kwargs, "sync_dist", 0);
  l.add_dataloader_idx = flag_of(kwargs, "add_dataloader_idx", 1);
  if (!reduce.empty()) l.reduce_fx = reduce.c_str();
  if (kwargs.contains("batch_size") && !kwargs.at("batch_size").is_null()) l.batch_size = kwargs.at("batch_size");
  const json& value = entry.at("value");
  if (value.contains("tensor")) {
    const levin_host* host = at.run.host();
    levin_tensor* tensor = tensor_of(host, value.at("tensor"));
    l.tensor = tensor;
    const levin_status status = at.run.trainer().log(at.run.raw(), &l);
    host->tensor_release(host, tensor);
    levin::detail::check(status, name.c_str());
    return;
  }
  l.number = value_of(value, at, calls_[index]++);
  at.run.log(l);
}

json hook_keywords(const levin::Event& event) {
  const uint32_t hook = event.raw().hook;
  if (hook != LEVIN_HOOK_SETUP && hook != LEVIN_HOOK_TEARDOWN) return nullptr;
  return {{"stage", stage_text(event.raw().stage)}};
}

namespace {

json outputs_of(const levin_host* host, const levin_event& e, bool training) {
  json out = json::object();
  for (uint64_t i = 0; i < e.n_outputs; ++i) {
    if (std::string(e.outputs[i].name) == "prediction") {
      levin_tensor* tensor = e.outputs[i].tensor;
      const levin_batch one{sizeof one, 1, &tensor, nullptr, 1, nullptr};
      return batch_text(host, &one);
    }
    out[e.outputs[i].name] = "tensor";
  }
  return out.empty() && !training ? json() : out;
}

bool several_loaders(const levin::Event& event) { return event.run().num_dataloaders() > 1; }

json batch_arguments(const levin_host* host, const levin::Event& event, bool end, bool training) {
  const levin_event& e = event.raw();
  json args = json::array();
  if (end) args.push_back(outputs_of(host, e, training));
  args.push_back(batch_text(host, e.batch));
  args.push_back(e.batch_idx);
  if (!training && several_loaders(event)) args.push_back(e.dataloader_idx);
  return args;
}

}  // namespace

json hook_arguments(const levin_host* host, const levin::Event& event) {
  switch (event.raw().hook) {
    case LEVIN_HOOK_TRAIN_BATCH_START:
      return batch_arguments(host, event, false, true);
    case LEVIN_HOOK_TRAIN_BATCH_END:
      return batch_arguments(host, event, true, true);
    case LEVIN_HOOK_VALIDATION_BATCH_START:
    case LEVIN_HOOK_TEST_BATCH_START:
    case LEVIN_HOOK_PREDICT_BATCH_START:
      return batch_arguments(host, event, false, false);
    case LEVIN_HOOK_VALIDATION_BATCH_END:
    case LEVIN_HOOK_TEST_BATCH_END:
    case LEVIN_HOOK_PREDICT_BATCH_END:
      return batch_arguments(host, event, true, false);
    case LEVIN_HOOK_BEFORE_ZERO_GRAD:
    case LEVIN_HOOK_BEFORE_OPTIMIZER_STEP:
      return {"optimizer"};
    case LEVIN_HOOK_BEFORE_BACKWARD:
      return {"tensor"};
    case LEVIN_HOOK_EXCEPTION:
      return {"exception"};
    case LEVIN_HOOK_SAVE_CHECKPOINT:
    case LEVIN_HOOK_LOAD_CHECKPOINT:
      return {{{"checkpoint", {{"epoch", event.epoch()}, {"global_step", event.global_step()}}}}};
    default:
      return json::array();
  }
}

}  // namespace scripted
