#include "state.hpp"

#include <cmath>

namespace levin::model_checkpoint {
namespace {

// A missing value is written as NaN, because a score is never NaN.
void put(const Writer& writer, const char* key, const std::optional<double>& value) {
  writer.put(key, value.value_or(std::nan("")));
}

void get(const Reader& reader, const char* key, std::optional<double>& out) {
  double value;
  if (reader.get(key, value) && !std::isnan(value)) out = value;
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
  std::string paths;  // each ended by a NUL
  std::vector<double> scores;
  for (const auto& [path, score] : s.top.models) {
    paths += path + '\0';
    scores.push_back(score);
  }
  writer.put("best_k_paths", paths);
  writer.put("best_k_scores", scores);
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
  std::string paths;
  std::vector<double> scores;
  reader.get("best_k_paths", paths);
  reader.get("best_k_scores", scores);
  size_t at = 0;
  for (const double score : scores) {
    const size_t end = paths.find('\0', at);
    if (end == std::string::npos) throw Error(LEVIN_E_STATE, "best_k_paths and best_k_scores differ in length");
    s.top.models.emplace_back(paths.substr(at, end - at), score);
    at = end + 1;
  }
  s.top.best_path = s.best_path;
  return s;
}

}  // namespace levin::model_checkpoint
