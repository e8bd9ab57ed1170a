#include "runs/submission.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr JsonRule rules[] = {{"levin_submission", json_rule::count, "a count"},
                              {"command", json_rule::list, "a list"},
                              {"command/*", json_rule::text, "a word"},
                              {"where", json_rule::text, "a folder"},
                              {"options", json_rule::list, "a list"},
                              {"options/*", json_rule::text, "the name of an option"},
                              {"runs", json_rule::list, "a list"},
                              {"runs/*", json_rule::object, "an object"},
                              {"runs/*/folder", json_rule::text, "a folder"},
                              {"runs/*/values", json_rule::list, "a list"},
                              {"runs/*/values/*", json_rule::text, "a text"},
                              {"created", json_rule::whole, "a time"},
                              {"job", json_rule::text, "the id of a job"},
                              {"problem", json_rule::text, "a text"}};

}  // namespace

std::string Submission::job_of(size_t run) const {
  return job.empty() || !is_grid() ? job : job + "_" + std::to_string(run);
}

void save_submission(const std::filesystem::path& folder, const Submission& s) {
  json out = s;
  out["levin_submission"] = 1;
  write_file_durable(folder / submission_file, out.dump(2) + "\n");
}

std::optional<Submission> load_submission(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / submission_file;
  if (!is_present(file)) return std::nullopt;
  const json read = parse_json(read_file(file), file.string());
  if (!read.is_object()) throw Error(ErrorCode::file_content_invalid, file.string() + ": it is not an object");
  check_json(read, rules, file.string(), ErrorCode::file_content_invalid);
  try {
    return read.get<Submission>();
  } catch (const json::exception& e) {
    throw Error(ErrorCode::file_content_invalid, file.string() + ": " + brief_json_error(e.what()));
  }
}

}  // namespace levin::core
