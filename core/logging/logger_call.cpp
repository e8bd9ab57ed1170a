#include "core/logging/logger_call.hpp"

#include <filesystem>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

json text_or_null(const char* text) { return text ? json(text) : json(nullptr); }

// Borrows the text of the argument; nullptr if the argument is null.
const char* borrowed(const json& arguments, const char* key) {
  const json& value = arguments.at(key);
  return value.is_null() ? nullptr : value.get_ref<const std::string&>().c_str();
}

bool is_gone(const char* path) {
  std::error_code unknown;
  return path && !std::filesystem::exists(path, unknown);
}

void make_metrics(const LoggerCall& call, const Logger& to) {
  std::vector<const char*> names;
  std::vector<double> values;
  for (const json& name : call.arguments.at("names")) names.push_back(name.get_ref<const std::string&>().c_str());
  for (const json& value : call.arguments.at("values")) values.push_back(number_from_json(value));
  values.resize(names.size());
  to.metrics(call.arguments.at("step"), names.data(), values.data(), static_cast<uint32_t>(names.size()));
}

void make_media(const LoggerCall& call, const Logger& to) {
  levin_media media{};
  media.size = sizeof media;
  media.kind = borrowed(call.arguments, "kind");
  media.tag = borrowed(call.arguments, "tag");
  media.step = call.arguments.at("step");
  media.text = borrowed(call.arguments, "text");
  media.caption = borrowed(call.arguments, "caption");
  media.rate = number_from_json(call.arguments.at("rate"));
  levin_view view{};
  if (call.view.defined()) {
    view = view_of(call.view);
    view.strides = nullptr;
    media.view = &view;
  }
  to.media(media);
}

void make_artifact(const LoggerCall& call, const Logger& to) {
  const levin_artifact artifact = {sizeof artifact, 0, borrowed(call.arguments, "path"),
                                   borrowed(call.arguments, "name"), borrowed(call.arguments, "type")};
  if (!is_gone(artifact.path)) to.artifact(artifact);
}

void make_after_save(const LoggerCall& call, const Logger& to) {
  levin_saved saved{};
  saved.size = sizeof saved;
  saved.flags = call.arguments.at("flags");
  saved.path = borrowed(call.arguments, "path");
  saved.monitor = borrowed(call.arguments, "monitor");
  saved.score = number_from_json(call.arguments.at("score"));
  saved.epoch = call.arguments.at("epoch");
  saved.global_step = call.arguments.at("global_step");
  if (!is_gone(saved.path)) to.after_save(saved);
}

struct KindInfo {
  const char *name, *one, *several;  // of the call, for messages
  void (*make)(const LoggerCall&, const Logger&);
};
// In the order of LoggerCall::Kind.
const KindInfo kinds[] = {
    {"metrics", "row of metrics", "rows of metrics", &make_metrics},
    {"media", "media", "media", &make_media},
    {"artifact", "artifact", "artifacts", &make_artifact},
    {"hparams", "hparams", "hparams",
     [](const LoggerCall& c, const Logger& to) { to.hparams(c.arguments.get_ref<const std::string&>().c_str()); }},
    {"after_save", "after_save", "after_save", &make_after_save},
    {"flush", "flush", "flush", [](const LoggerCall&, const Logger& to) { to.flush(); }},
    {"finalize", "finalize", "finalize",
     [](const LoggerCall& c, const Logger& to) { to.finalize(c.arguments.get_ref<const std::string&>().c_str()); }},
};
constexpr size_t n_kinds = sizeof kinds / sizeof *kinds;
const KindInfo& info_of(LoggerCall::Kind kind) { return kinds[static_cast<size_t>(kind)]; }

LoggerCall::Kind kind_named(const std::string& name) {
  for (size_t i = 0; i < n_kinds; ++i)
    if (name == kinds[i].name) return static_cast<LoggerCall::Kind>(i);
  throw Error(ErrorCode::checkpoint_damaged, "loggers have no call '" + name + "'");
}

}  // namespace

LoggerCall LoggerCall::metrics(int64_t step, const char* const* names, const double* values, uint32_t n) {
  json all_names = json::array(), all_values = json::array();
  for (uint32_t i = 0; i < n; ++i) {
    all_names.push_back(names[i]);
    all_values.push_back(number_to_json(values[i]));
  }
  return {Kind::metrics, {{"step", step}, {"names", std::move(all_names)}, {"values", std::move(all_values)}}};
}

LoggerCall LoggerCall::media(const levin_media& m) {
  return {Kind::media,
          {{"kind", m.kind},
           {"tag", m.tag},
           {"step", m.step},
           {"text", text_or_null(m.text)},
           {"caption", text_or_null(m.caption)},
           {"rate", number_to_json(m.rate)}},
          m.view ? copy_of(*m.view) : at::Tensor()};
}

LoggerCall LoggerCall::artifact(const levin_artifact& a) {
  return {Kind::artifact, {{"path", a.path}, {"name", a.name}, {"type", text_or_null(a.type)}}};
}

LoggerCall LoggerCall::hparams(const std::string& text) { return {Kind::hparams, json(text)}; }

LoggerCall LoggerCall::after_save(const levin_saved& s) {
  return {Kind::after_save,
          {{"flags", s.flags},
           {"path", s.path},
           {"monitor", text_or_null(s.monitor)},
           {"score", number_to_json(s.score)},
           {"epoch", s.epoch},
           {"global_step", s.global_step}}};
}

LoggerCall LoggerCall::finalize(const char* status) { return {Kind::finalize, json(status)}; }

void LoggerCall::make(const Logger& logger) const { info_of(kind).make(*this, logger); }
const char* LoggerCall::name() const { return info_of(kind).name; }

size_t LoggerCall::bytes() const {
  const size_t each = 64 * (kind == Kind::metrics ? arguments.at("names").size() : 1);
  return 256 + each + (view.defined() ? view.nbytes() : 0);
}

std::string CallCounts::text() const {
  std::vector<std::string> parts;
  for (size_t i = 0; i < n_kinds; ++i)
    if (counts_[i])
      parts.push_back(std::to_string(counts_[i]) + " " + (counts_[i] == 1 ? kinds[i].one : kinds[i].several));
  if (parts.size() < 2) return join(parts, "");
  const std::string last = parts.back();
  parts.pop_back();
  return join(parts, ", ") + " and " + last;
}

// JSON cannot hold bytes that are not UTF-8, and they must not make a checkpoint fail.
void WaitingCalls::write(StateBag& to) const {
  json list = json::array();
  for (const LoggerCall& call : calls) {
    list.push_back({{"call", call.name()}, {"number", call.number}, {"arguments", call.arguments}});
    if (call.view.defined()) to.tensors()[std::to_string(call.number)] = call.view;
  }
  const json all = {{"last", last}, {"calls", std::move(list)}};
  to.bytes()["calls"] = all.dump(-1, ' ', false, json::error_handler_t::replace);
}

WaitingCalls WaitingCalls::read(const StateBag& from) {
  const auto found = from.bytes().find("calls");
  if (found == from.bytes().end()) return {};
  const json all = json::parse(found->second);
  WaitingCalls out{{}, all.at("last")};
  for (const json& entry : all.at("calls")) {
    LoggerCall call{kind_named(entry.at("call").get<std::string>()), entry.at("arguments"), {}, entry.at("number")};
    const auto view = from.tensors().find(std::to_string(call.number));
    if (view != from.tensors().end()) call.view = view->second;
    out.calls.push_back(std::move(call));
  }
  return out;
}

}  // namespace levin::core
