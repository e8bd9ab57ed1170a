#include "api.hpp"

#include <algorithm>
#include <cctype>

#include "names.hpp"

namespace levin::mlflow {
namespace {

const std::string api_root = "/api/2.0/mlflow/";

// Returns a text at this path of members; "" = none.
std::string text_at(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* name : path) {
    if (!at->is_object() || !at->contains(name)) return {};
    at = &(*at)[name];
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

// Ids become parts of requests and addresses.
bool is_id(const std::string& text) {
  return !text.empty() && text.size() <= 256 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

// The text of a server, as a line of the terminal.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return cut_text(text, 200);
}

std::string problem_of(const Answer& answer, const Json& json) {
  if (answer.status == 0) return answer.problem;
  std::string out = "HTTP status " + std::to_string(answer.status);
  if (answer.status == 401 || answer.status == 403)
    out += ", check MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD";
  else if (answer.status >= 300 && answer.status < 400)
    out += ", it redirects: give the address of MLflow itself";
  else if (answer.status < 300)
    out = "it does not answer like MLflow";
  const std::string message = text_at(json, {"message"});
  return message.empty() ? out : out + ": " + one_line(message);
}

bool is_success(const Answer& answer) { return answer.status >= 200 && answer.status < 300; }

// Returns the path of requests for an artifact; "" = the server does not serve the artifacts of this run.
std::string artifact_path(const Http& http, const std::string& artifact_uri, const std::string& name) {
  const std::string scheme = "mlflow-artifacts:";
  if (artifact_uri.compare(0, scheme.size(), scheme) != 0) return {};
  std::string uri = artifact_uri.substr(scheme.size());
  if (uri.compare(0, 2, "//") == 0) uri.erase(0, std::min(uri.find('/', 2), uri.size()));
  const std::string whole = uri + "/" + name;
  std::string out = "/api/2.0/mlflow-artifacts/artifacts";
  for (size_t at = 0, end; at <= whole.size(); at = end + 1) {
    end = std::min(whole.find('/', at), whole.size());
    const std::string part = whole.substr(at, end - at);
    if (!part.empty() && part != "." && part != "..") out += "/" + http.escaped(part);
  }
  return out;
}

}  // namespace

Outcome Api::fail(const std::string& problem) {
  problem_ = problem;
  answered_ = true;
  retry_after_ = 0;
  return Outcome::away;
}

Outcome Api::take(const Answer& answer, Json& out) {
  out = parsed(answer.body);
  if (is_success(answer) && out.is_object()) return Outcome::done;
  problem_ = problem_of(answer, out);
  answered_ = answer.status != 0;
  retry_after_ = answer.retry_after;
  const bool of_request = answer.status == 400 || answer.status == 413 || answer.status == 422;
  // The run was deleted on the server. It may be restored there.
  const bool deleted = text_at(out, {"message"}).find("'active' state") != std::string::npos;
  return of_request && !deleted ? Outcome::refused : Outcome::away;
}

Outcome Api::post(const std::string& call, const std::string& body, Json& out) {
  return take(http_.post(api_root + call, body), out);
}
Outcome Api::post(const std::string& call, const std::string& body) {
  Json ignored;
  return post(call, body, ignored);
}

Outcome Api::take_run(const Json& json, RunOnServer& out) {
  out.run_id = text_at(json, {"info", "run_id"});
  out.artifact_uri = text_at(json, {"info", "artifact_uri"});
  if (is_id(out.run_id)) return Outcome::done;
  out.run_id.clear();
  return fail("it does not answer like MLflow");
}

Outcome Api::open_experiment(const std::string& name, RunOnServer& out) {
  Json json;
  Outcome outcome = take(http_.get(api_root + "experiments/get-by-name?experiment_name=" + http_.escaped(name)), json);
  out.experiment_id = text_at(json, {"experiment", "experiment_id"});
  if (outcome != Outcome::done && text_at(json, {"error_code"}) == "RESOURCE_DOES_NOT_EXIST") {
    outcome = post("experiments/create", text_of({{"name", name}}), json);
    out.experiment_id = text_at(json, {"experiment_id"});
  }
  if (outcome != Outcome::done) return Outcome::away;
  if (text_at(json, {"experiment", "lifecycle_stage"}) == "deleted")
    return fail("its experiment " + name + " is deleted: restore it, or give another experiment_name");
  return is_id(out.experiment_id) ? Outcome::done : fail("it does not answer like MLflow");
}

Outcome Api::find_run(const std::string& uid, RunOnServer& out) {
  const Json question = {{"experiment_ids", Json::array({out.experiment_id})},
                         {"filter", "tags.`levin.uid` = '" + uid + "'"},
                         {"max_results", 1}};
  Json json;
  if (post("runs/search", text_of(question), json) != Outcome::done) return Outcome::away;
  const auto runs = json.find("runs");
  return runs == json.end() || !runs->is_array() || runs->empty() ? Outcome::done : take_run((*runs)[0], out);
}

Outcome Api::open_run(const std::string& experiment, const std::string& run_name, const std::string& uid,
                      RunOnServer& out) {
  out = {};
  if (open_experiment(experiment, out) != Outcome::done || find_run(uid, out) != Outcome::done) return Outcome::away;
  if (!out.run_id.empty()) return Outcome::done;
  const Json tag = {{"key", "levin.uid"}, {"value", uid}};
  const Json wanted = {{"experiment_id", out.experiment_id},
                       {"run_name", run_name},
                       {"start_time", now_ms()},
                       {"tags", Json::array({tag})}};
  Json json;
  if (post("runs/create", text_of(wanted), json) != Outcome::done) return Outcome::away;
  const auto run = json.find("run");
  out.is_new = true;
  return run == json.end() ? fail("it does not answer like MLflow") : take_run(*run, out);
}

Outcome Api::upload(const RunOnServer& run, const std::string& name, const std::filesystem::path& file) {
  const std::string path = artifact_path(http_, run.artifact_uri, name);
  if (path.empty()) {
    fail("it was started without --serve-artifacts");
    return Outcome::refused;
  }
  const Answer answer = http_.put_file(path, file);
  Json json;
  return is_success(answer) ? Outcome::done : take(answer, json);
}

}  // namespace levin::mlflow
