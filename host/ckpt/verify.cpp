#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "host/ckpt/ckpt_file.hpp"
#include "host/ckpt/verbs.hpp"
#include "runs/run_files.hpp"

namespace levin::core::ckpt {
namespace {

std::vector<std::string> all_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  for (const std::string& word : arguments) {
    if (!is_folder(word)) {
      out.push_back(word);
      continue;
    }
    for (const RunFile& file : run_files(word)) out.push_back(file.path.string());
  }
  return out;
}

// What is wrong with a file; "" = nothing.
struct Problem {
  std::string text;
  ErrorCode code = ErrorCode::checkpoint_damaged;
};

Problem problem_of(const std::string& path, uint64_t& bytes) {
  try {
    const CkptFile file(path);
    if (file.foreign) return {path + ": another program's file, without checksums"};
    file.reader.verify();
    for (const std::string& name : file.reader.names()) bytes += file.reader.tensor(name).bytes;
  } catch (const Error& e) {
    return {e.what(), e.code()};
  }
  return {};
}

}  // namespace

int verify(const Arguments& arguments) {
  nlohmann::json answers = nlohmann::json::array();
  size_t damaged = 0, unread = 0;
  for (const std::string& path : all_files(arguments.names)) {
    uint64_t bytes = 0;
    const auto [problem, code] = problem_of(path, bytes);
    if (!problem.empty()) ++(code == ErrorCode::checkpoint_not_found ? unread : damaged);
    answers.push_back({{"file", path}, {"whole", problem.empty()}, {"problem", problem}});
    if (arguments.has("json")) continue;
    std::printf("%s\n", printable(problem.empty() ? path + ": intact, " + bytes_text(bytes) : problem).c_str());
    std::fflush(stdout);
  }
  if (arguments.has("json"))
    std::printf("%s\n", answers.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  const std::string of_all = " of " + std::to_string(answers.size()) + " files ";
  if (damaged != 0) throw Error(ErrorCode::checkpoint_damaged, std::to_string(damaged) + of_all + "are damaged");
  if (unread == 0) return 0;
  throw Error(ErrorCode::checkpoint_not_found, std::to_string(unread) + of_all + "cannot be read");
}

}  // namespace levin::core::ckpt
