#include "batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "../common/values.hpp"
#include "json.hpp"

namespace levin::mlflow {
namespace {

constexpr size_t most_metrics = 900, most_texts = 90;  // MLflow's limits are 1000 and 100 a request

double number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  return std::strtod(text.c_str(), nullptr);
}

int64_t integer(const Json& line, const char* name) {
  const auto found = line.find(name);
  return found != line.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

bool has_texts(const Json& line, const char* name) {
  const auto found = line.find(name);
  return found != line.end() && found->is_array() && found->size() == 2 && (*found)[0].is_string() &&
         (*found)[1].is_string();
}

bool has_metrics(const Json& line) {
  const auto found = line.find("metrics");
  return found != line.end() && found->is_object();
}

Batch::Kind kind_of(const Json& line) {
  if (!line.is_object()) return Batch::none;
  if (has_metrics(line) || has_texts(line, "param") || has_texts(line, "tag")) return Batch::log;
  if (has_texts(line, "file")) return Batch::file;
  const auto status = line.find("status");
  return status != line.end() && status->is_string() ? Batch::status : Batch::none;
}

void add_metrics(Json& metrics, const Json& line) {
  for (const auto& [name, value] : line["metrics"].items())
    metrics.push_back(
        {{"key", name}, {"value", value}, {"timestamp", integer(line, "time")}, {"step", integer(line, "step")}});
}
void add_text(Json& to, const Json& pair) { to.push_back({{"key", pair[0]}, {"value", pair[1]}}); }

}  // namespace

// Written by hand, because a run may log every step.
std::string metrics_line(int64_t step, int64_t time_ms, const Values& values) {
  std::string out = "{\"step\":" + std::to_string(step) + ",\"time\":" + std::to_string(time_ms) + ",\"metrics\":{";
  for (const auto& [name, value] : values) {
    if (out.back() != '{') out += ',';
    const char* quote = std::isfinite(value) ? "" : "\"";
    out += '"' + name + "\":" + quote + loggers::number_text(value) + quote;
  }
  return out + "}}";
}
std::string param_line(const std::string& name, const std::string& value) {
  return text_of({{"param", Json::array({name, value})}});
}
std::string tag_line(const std::string& name, const std::string& value) {
  return text_of({{"tag", Json::array({name, value})}});
}
std::string file_line(const std::string& file, const std::string& name) {
  return text_of({{"file", Json::array({file, name})}});
}
std::string status_line(const std::string& status, int64_t time_ms) {
  return text_of({{"status", status}, {"time", time_ms}});
}

std::string file_lines(const std::string& lines) {
  std::string out;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);)
    if (kind_of(parsed(line)) == Batch::file) out += line + "\n";
  return out;
}

MetricsOfLine metrics_of_line(const std::string& text) {
  MetricsOfLine out;
  const Json line = parsed(text);
  if (!line.is_object() || !has_metrics(line)) return out;
  out.step = integer(line, "step");
  for (const auto& [name, value] : line["metrics"].items()) out.values.emplace_back(name, number_of(value));
  return out;
}

Batch first_batch(const std::string& lines, size_t most_lines, const std::string& run_id) {
  Batch out;
  Json metrics = Json::array(), params = Json::array(), tags = Json::array();
  for (size_t end; out.lines < most_lines && out.bytes < lines.size(); out.bytes = end, ++out.lines) {
    end = std::min(lines.find('\n', out.bytes), lines.size() - 1) + 1;
    const Json line = parsed(lines.substr(out.bytes, end - out.bytes));
    const Batch::Kind kind = kind_of(line);
    if (kind == Batch::none) continue;
    if (out.kind != Batch::none && (kind != Batch::log || out.kind != Batch::log)) break;
    if (kind == Batch::log) {
      const bool is_metrics = line.contains("metrics"), is_param = line.contains("param");
      const size_t n_metrics = metrics.size() + (is_metrics ? line["metrics"].size() : 0);
      const size_t n_texts = params.size() + tags.size() + (is_metrics ? 0 : 1);
      if (out.kind == Batch::log && (n_metrics > most_metrics || n_texts > most_texts)) break;
      if (is_metrics)
        add_metrics(metrics, line);
      else
        add_text(is_param ? params : tags, line[is_param ? "param" : "tag"]);
    } else if (kind == Batch::file) {
      out.path = line["file"][0].get<std::string>();
      out.name = line["file"][1].get<std::string>();
    } else {
      Json body = {{"run_id", run_id}, {"status", line["status"]}};
      if (line["status"] != "RUNNING") body["end_time"] = integer(line, "time");
      out.body = text_of(body);
    }
    out.kind = kind;
  }
  if (out.kind == Batch::log)
    out.body = text_of({{"run_id", run_id}, {"metrics", metrics}, {"params", params}, {"tags", tags}});
  return out;
}

}  // namespace levin::mlflow
