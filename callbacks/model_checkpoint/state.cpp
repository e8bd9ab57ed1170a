#include "state.hpp"

#include <cmath>

namespace levin::model_checkpoint {
namespace {

// Writes a missing value as NaN, because a score is never NaN.
void put(const Writer& writer, const char* key, const std::optional<double>& value) {
  writer.put(key, value.value_or(std::nan("")));
}

void get(const Reader& reader, const char* key, std::optional<double>& out) {
  double value;
  if (reader.get(key, value) && !std::isnan(value)) out = value;
}

// Each text ends with a NUL.
std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + '\0';
  return out;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0, end; (end = text.find('\0', at)) != std::string::npos; at = end + 1)
    out.push_back(text.substr(at, end - at));
  return out;
}

void put_flag(const Writer& writer, const char* key, bool value) { writer.put(key, static_cast<uint8_t>(value)); }

void get_flag(const Reader& reader, const char* key, bool& out) {
  uint8_t value;
  if (reader.get(key, value)) out = value != 0;
}

void write_rest(const Writer& writer, const State& s) {
  writer.put("newest_path", s.newest_path);
  writer.put("unscored_path", s.unscored_path);
  writer.put("to_remove", joined(s.to_remove));
  put_flag(writer, "last_due", s.last_due);
  put_flag(writer, "announce_due", s.announce_due);
  put_flag(writer, "validated", s.validated);
  put_flag(writer, "deferred", s.deferred);
  writer.put("saved_step", s.saved_step);
  writer.put("epoch", s.epoch);
  writer.put("seconds_since_last", s.seconds_since_last);
}

void read_rest(const Reader& reader, State& s) {
  std::string to_remove;
  reader.get("newest_path", s.newest_path);
  reader.get("unscored_path", s.unscored_path);
  if (reader.get("to_remove", to_remove)) s.to_remove = split(to_remove);
  get_flag(reader, "last_due", s.last_due);
  get_flag(reader, "announce_due", s.announce_due);
  get_flag(reader, "validated", s.validated);
  get_flag(reader, "deferred", s.deferred);
  reader.get("saved_step", s.saved_step);
  reader.get("epoch", s.epoch);
  reader.get("seconds_since_last", s.seconds_since_last);
}

}  // namespace

void write_state(const Writer& writer, const State& s) {
  writer.put("monitor", s.monitor);
  writer.put("dirpath", s.dirpath);
  writer.put("best_model_path", s.best_path);
  writer.put("last_model_path", s.last_path);
  writer.put("kth_best_model_path", s.top.kth_path);
  put(writer, "best_model_score", s.top.best_score);
  put(writer, "kth_value", s.top.kth_value);
  put(writer, "current_score", s.top.current_score);
  std::vector<std::string> paths;
  std::vector<double> scores;
  for (const auto& [path, score] : s.top.models) {
    paths.push_back(path);
    scores.push_back(score);
  }
  writer.put("best_k_paths", joined(paths));
  writer.put("best_k_scores", scores);
  write_rest(writer, s);
}

State read_state(const Reader& reader) {
  State s;
  reader.get("monitor", s.monitor);
  reader.get("dirpath", s.dirpath);
  reader.get("best_model_path", s.best_path);
  reader.get("last_model_path", s.last_path);
  reader.get("kth_best_model_path", s.top.kth_path);
  get(reader, "best_model_score", s.top.best_score);
  get(reader, "kth_value", s.top.kth_value);
  get(reader, "current_score", s.top.current_score);
  std::string text;
  std::vector<double> scores;
  reader.get("best_k_paths", text);
  reader.get("best_k_scores", scores);
  const std::vector<std::string> paths = split(text);
  if (paths.size() != scores.size()) throw Error(LEVIN_E_STATE, "best_k_paths and best_k_scores differ in length");
  for (size_t i = 0; i < paths.size(); ++i) s.top.models.emplace_back(paths[i], scores[i]);
  s.top.best_path = s.best_path;
  read_rest(reader, s);
  return s;
}

}  // namespace levin::model_checkpoint
