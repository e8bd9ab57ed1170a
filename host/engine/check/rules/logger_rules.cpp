#include "host/engine/check/rules/rules.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <thread>

#include "core/abi/state_bag.hpp"
#include "core/base/file.hpp"
#include "core/components/logger.hpp"
#include "host/engine/check/common/common_rules.hpp"
#include "host/engine/check/fake/fake_run.hpp"

namespace levin::core {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// A logger with its own run folder, called in the order that the ABI guarantees.
class TriedLogger {
 public:
  // folder: the folder of a resumed run; "" = a new one.
  explicit TriedLogger(const Subject& subject, const std::string& folder = "")
      : model_(fake_model(subject.plugins)),
        run_(*model_),
        made_(subject.create()),
        logger_(made_.origin, made_.table, made_.self),
        folder_(folder) {
    static int number = 0;
    if (folder_.empty()) folder_ = subject.scratch + "/logger_" + std::to_string(++number);
    std::filesystem::create_directories(folder_);
  }

  Logger& logger() { return logger_; }
  const std::string& folder() const { return folder_; }

  void begin(int64_t resumed_step = -1) {
    levin_logger_begin in{};
    in.size = sizeof in;
    in.run = &run_;
    in.run_dir = folder_.c_str();
    in.run_id = "version_0";
    in.hparams_json = R"({"model": {"options": {"lr": 0.1}}, "trainer": {"max_epochs": 2}})";
    in.resumed_step = resumed_step;
    const levin_args none{sizeof none, 0, nullptr, "{}"};
    in.hparams = &none;
    try {
      logger_.begin(in);
    } catch (const Error& e) {
      throw Skip{"with these options it does not begin: " + std::string(e.what())};
    }
    logger_.url();
  }
  void metrics(int64_t step) {
    const char* const names[] = {"loss", "val/acc", "lr-Adam"};
    const double values[] = {0.5 / static_cast<double>(step + 1), nan_value, 1e-3};
    logger_.metrics(step, names, values, step % 2 ? 3 : 1);  // rows have different columns
  }
  void media(const levin_media& media) { logger_.media(media); }
  std::string file(const std::string& name) const {
    std::ofstream(folder_ + "/" + name) << "text\n";
    return folder_ + "/" + name;
  }
  void end(const char* status = "success") {
    logger_.flush();
    logger_.finalize(status);
  }

 private:
  std::unique_ptr<Model> model_;
  FakeRun run_;
  Created made_;
  Logger logger_;
  std::string folder_;
};

std::string check_rows(const Subject& subject) {
  TriedLogger tried(subject);
  tried.begin();
  for (const int64_t step : {0, 1, 2, 5}) tried.metrics(step);
  tried.logger().flush();
  tried.metrics(6);
  tried.end();
  return "";
}

struct Picture {
  std::vector<int64_t> shape;
  levin_dtype dtype;
  std::vector<unsigned char> bytes;
  levin_view view() {
    return {bytes.data(), {LEVIN_CPU, 0}, static_cast<int32_t>(shape.size()), dtype, shape.data(), nullptr, 0};
  }
};

Picture picture(std::vector<int64_t> shape, levin_dtype dtype) {
  size_t n = dtype.bits / 8u;
  for (const int64_t d : shape) n *= static_cast<size_t>(d);
  return {std::move(shape), dtype, std::vector<unsigned char>(n, 0)};
}

std::string check_media(const Subject& subject) {
  TriedLogger tried(subject);
  if (!tried.logger().takes_media()) throw Skip{"it has no function 'media'"};
  tried.begin();
  const levin_dtype u8{LEVIN_UINT, 8, 1}, f32{LEVIN_FLOAT, 32, 1}, f64{LEVIN_FLOAT, 64, 1};
  struct {
    const char *kind, *text;
    Picture picture;
  } all[] = {{"image", nullptr, picture({4, 5, 3}, u8)},
             {"image", nullptr, picture({4, 5, 1}, u8)},
             {"figure", nullptr, picture({4, 5, 4}, u8)},
             {"video", nullptr, picture({2, 4, 5, 3}, u8)},
             {"audio", nullptr, picture({16, 2}, f32)},
             {"histogram", nullptr, picture({8}, f64)},
             {"text", "a text", {}},
             {"table", R"({"columns": ["a"], "rows": [[1]]})", {}},
             {"graph", "digraph {}", {}},
             {"a kind of a later host", "text", {}}};
  for (auto& one : all) {
    levin_media media{};
    media.size = sizeof media;
    media.kind = one.kind;
    media.tag = "samples/one";
    media.step = 1;
    levin_view view = one.text ? levin_view{} : one.picture.view();
    media.view = one.text ? nullptr : &view;
    media.text = one.text;
    media.caption = "a caption";
    media.rate = 8;
    try {
      tried.media(media);
    } catch (const std::exception& e) {
      return std::string(one.kind) + ": " + e.what();
    }
  }
  tried.end();
  return "";
}

std::string check_files(const Subject& subject) {
  TriedLogger tried(subject);
  tried.begin();
  tried.metrics(0);
  const std::string checkpoint = tried.file("check.ckpt"), file = tried.file("notes.txt");
  levin_saved saved{};
  saved.size = sizeof saved;
  saved.path = checkpoint.c_str();
  saved.score = nan_value;
  tried.logger().after_save(saved);
  levin_artifact artifact{};
  artifact.size = sizeof artifact;
  artifact.path = file.c_str();
  artifact.name = "notes.txt";
  tried.logger().artifact(artifact);
  tried.logger().hparams(R"({"model.lr": 0.2})");
  tried.end();
  return "";
}

// Calls the logger as in a resumed run: load, begin, the rest.
std::string check_resumed(const Subject& subject) {
  TriedLogger first(subject);
  if (!first.logger().has_state()) throw Skip{"it has no state"};
  first.begin();
  first.metrics(0);
  first.metrics(1);
  StateBag bag = saved_state(first.logger());
  first.end();
  TriedLogger second(subject);
  second.logger().load(bag.reader(subject.schema.version.c_str()));
  const std::string problem = difference(bag, saved_state(second.logger()));
  if (!problem.empty()) return problem;
  second.begin(1);
  second.metrics(2);
  second.end();
  return "";
}

// Returns the text files of the folder by name.
std::map<std::string, std::string> texts_in(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::string text = read_file(entry.path());
    if (text.find('\0') == std::string::npos) out[entry.path().filename().string()] = std::move(text);
  }
  return out;
}

// Logs a row at each of these steps. A run has all_steps steps.
constexpr int64_t all_steps = 6;
void log_steps(TriedLogger& tried, int64_t from, int64_t to) {
  for (int64_t step = from; step < to; ++step) tried.metrics(step);
}

std::map<std::string, std::string> texts_of_whole_run(const Subject& subject) {
  TriedLogger whole(subject);
  whole.begin();
  log_steps(whole, 0, all_steps);
  whole.end();
  return texts_in(whole.folder());
}

// Returns the text files of a run that is killed two rows after a checkpoint and resumed from it, so that these rows
// are logged twice.
std::map<std::string, std::string> texts_of_killed_run(const Subject& subject, int64_t kept) {
  TriedLogger killed(subject);
  killed.begin();
  log_steps(killed, 0, kept);
  killed.logger().flush();
  StateBag bag;
  if (killed.logger().has_state()) bag = saved_state(killed.logger());
  log_steps(killed, kept, std::min(kept + 2, all_steps));
  killed.logger().flush();
  TriedLogger again(subject, killed.folder());
  if (again.logger().has_state()) again.logger().load(bag.reader(subject.schema.version.c_str()));
  again.begin(kept - 1);
  log_steps(again, kept, all_steps);
  again.end();
  return texts_in(again.folder());
}

auto lines_in(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

// Detects files with clock values by comparing a second uninterrupted run.
class Clocks {
 public:
  explicit Clocks(const Subject& subject) : subject_(subject) {}
  bool in(const std::string& name, const std::string& text) {
    if (!later_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // a clock may have a resolution of 1 s
      later_ = texts_of_whole_run(subject_);
    }
    return (*later_)[name] != text;
  }

 private:
  const Subject& subject_;
  std::optional<std::map<std::string, std::string>> later_;
};

// In files with clock values, only the lines are counted.
std::string check_goes_on(const Subject& subject) {
  const auto whole = texts_of_whole_run(subject);
  Clocks clocks(subject);
  for (int64_t kept = 1; kept < all_steps; ++kept) {
    auto found = texts_of_killed_run(subject, kept);
    for (const auto& [name, text] : whole) {
      if (!found.count(name) || found[name] == text) continue;
      const bool as_many = lines_in(found[name]) == lines_in(text);
      if (as_many && clocks.in(name, text)) continue;
      return name + " has " + std::to_string(lines_in(found[name])) +
             " lines after a killed run has resumed from step " + std::to_string(kept) + ", and " +
             std::to_string(lines_in(text)) + (as_many ? " others" : "") +
             " in an uninterrupted run; keep the position in save(), and truncate the file to it in begin() of a "
             "resumed run";
    }
  }
  return "";
}

std::string check_ends(const Subject& subject) {
  for (const char* status : {"success", "failed", "interrupted"}) {
    TriedLogger tried(subject);
    tried.begin();
    tried.end(status);
  }
  TriedLogger never_begun(subject);
  return "";
}

}  // namespace

void check_logger(Report& report, const Subject& subject) {
  report.check(50, "begin, metrics with other names in each row, flush, finalize", [&] { return check_rows(subject); });
  report.check(51, "media of every kind, and of an unknown kind", [&] { return check_media(subject); });
  report.check(52, "url, after_save, artifact, hparams", [&] { return check_files(subject); });
  report.check(53, "state after two rows: loaded before begin of a resumed run it is the same",
               [&] { return check_resumed(subject); });
  report.check(54, "finalize with each status, and destruction without begin", [&] { return check_ends(subject); });
  report.check(55, "a run that is killed and resumed logs each row once", [&] { return check_goes_on(subject); });
}

}  // namespace levin::core
