#include "core/base/console/console.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/program_name.hpp"
#include "core/base/text.hpp"
#include "sdk/include/levin/util/terminal.hpp"

namespace levin::core {
namespace {

spdlog::level::level_enum level_of(int32_t level) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn};
  return level >= LEVIN_LOG_DEBUG && level <= LEVIN_LOG_WARNING ? levels[level] : spdlog::level::err;
}

}  // namespace

Console::Console()
    : terminal_(std::make_shared<spdlog::logger>(
          "host", std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
                      shows_colours(STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never))),
      redraws_(redraws_lines(STDOUT_FILENO)) {
  terminal_->set_pattern(line_name() + std::string(": %^%l%$: %v"));
  terminal_->set_level(spdlog::level::debug);  // show_from() filters
}

Console::Console(Listener listener) : listener_(std::move(listener)), redraws_(false) {}

Console::~Console() = default;

void Console::be_one_of_several(const std::string& name) {
  least_ = std::max<int32_t>(least_, LEVIN_LOG_WARNING);
  if (terminal_ && !name.empty()) terminal_->set_pattern("[" + name + "] " + line_name() + ": %^%l%$: %v");
}

void Console::log_to(const std::string& path) {
  try {
    file_ = std::make_shared<spdlog::logger>("run", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path));
  } catch (const spdlog::spdlog_ex& e) {
    throw Error(ErrorCode::file_not_written, std::string("cannot create the run's log: ") + e.what());
  }
  file_->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
  file_->set_level(level_of(std::min<int32_t>(least_, LEVIN_LOG_INFO)));
  file_->flush_on(spdlog::level::debug);
}

void Console::clear_line() {
  if (redraws_) std::fputs("\r\x1b[K", stdout);
  std::fflush(stdout);
}

void Console::show(int32_t level, const std::string& line, bool always) {
  if (listener_) {
    listener_(level, line);
  } else if (always || level >= least_) {
    clear_line();
    terminal_->log(level_of(level), line);
    terminal_->flush();
  }
}

void Console::write(int32_t level, const std::string& line, bool shown) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shown) show(level, line);
  if (file_) file_->log(level_of(level), line);
}

void Console::log(int32_t level, const std::string& text) {
  const std::string line = with_program_name(printable(text));
  const bool noted = note_ && level == LEVIN_LOG_WARNING;
  write(level, line, !(noted && holds_));
  if (noted) note_(line);
}

void Console::note_warnings(bool hold, Warn note) {
  note_ = std::move(note);
  holds_ = hold;
}

void Console::show_held(const std::string& line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  show(LEVIN_LOG_WARNING, line);
}

void Console::warn_at_once(const std::string& line) { write(LEVIN_LOG_WARNING, printable(line), true); }

void Console::record(int32_t level, const std::string& line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (file_) file_->log(level_of(level), printable(line));
}

void Console::info(const std::string& line) { log(LEVIN_LOG_INFO, line); }
void Console::warn(const std::string& line) { log(LEVIN_LOG_WARNING, line); }

void Console::notice(const std::string& text) {
  const std::string line = printable(text);
  const std::lock_guard<std::mutex> lock(mutex_);
  show(LEVIN_LOG_INFO, line, /*always=*/true);
  if (file_) file_->info(line);
}

void Console::print(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (listener_) {
    listener_(LEVIN_LOG_INFO, text);
  } else if (least_ <= LEVIN_LOG_INFO) {
    clear_line();
    std::fputs(text.c_str(), stdout);
    if (text.empty() || text.back() != '\n') std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  if (file_) file_->info(printable(text));
}

}  // namespace levin::core
