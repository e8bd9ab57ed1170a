#include "core/distributed/watch/collective_log.hpp"

#include <algorithm>

namespace levin::core {
namespace {

constexpr uint64_t kept_steps = 16;  // per line

}  // namespace

using nlohmann::json;

std::string CollectiveCall::text() const {
  std::string out = call;
  if (*type) {
    out += std::string(" of ") + type + "[";
    const auto shown = std::min(dimensions, static_cast<int64_t>(sizes.size()));
    for (int64_t d = 0; d < shown; ++d) out += (d > 0 ? ", " : "") + std::to_string(sizes[static_cast<size_t>(d)]);
    out += dimensions > shown ? ", ...]" : "]";
  }
  return *purpose ? out + " (" + purpose + ")" : out;
}

CollectiveLine* CollectiveLog::line(const std::string& name, const std::vector<int>& ranks) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  full_ = lines_.size() >= most_lines;
  if (full_) return nullptr;
  lines_.emplace_back();
  lines_.back().name = name;
  lines_.back().ranks = ranks;
  by_name_[name] = &lines_.back();
  return &lines_.back();
}

uint64_t CollectiveLog::begin(CollectiveLine* line, const CollectiveCall& step) {
  if (!line) return 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  const size_t place = ++line->begun % kept_steps;
  if (line->last.size() <= place) line->last.resize(place + 1);
  line->last[place] = step;
  return line->begun;
}

CollectiveLog::Wait::Wait(CollectiveLog* collective_log, const CollectiveLine* line, uint64_t number, const char* call)
    : collective_log_(line ? collective_log : nullptr) {
  if (!collective_log_) return;
  const std::lock_guard<std::mutex> lock(collective_log_->mutex_);
  collective_log_->awaited_ = line;
  collective_log_->number_ = number;
  collective_log_->call_ = call;
  collective_log_->caller_ = breadcrumb;
  collective_log_->since_ = std::chrono::steady_clock::now();
  collective_log_->warned_ = false;
}

CollectiveLog::Wait::~Wait() {
  if (!collective_log_) return;
  const std::lock_guard<std::mutex> lock(collective_log_->mutex_);
  collective_log_->awaited_ = nullptr;
  collective_log_->place_.clear();
}

void CollectiveLog::still_waits(const std::function<std::string()>& place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!awaited_ || !place_.empty() || std::chrono::steady_clock::now() - since_ < std::chrono::milliseconds(300))
    return;
  place_ = place ? place() : "";
}

json CollectiveLog::lines_json() const {
  json out = json::object();
  for (const CollectiveLine& line : lines_) {
    json last = json::object();
    for (uint64_t n = line.begun; n > 0 && n + kept_steps > line.begun; --n)
      last[std::to_string(n)] = line.last[n % kept_steps].text();
    out[line.name] = {{"begun", line.begun}, {"last", std::move(last)}};
  }
  return out;
}

json CollectiveLog::waiting_json() const {
  std::string place = place_;
  if (caller_.plugin && caller_.call)
    place = std::string(caller_.plugin) + " " + (caller_.instance ? std::string(caller_.instance) + "." : "") +
            caller_.call + (place.empty() ? "" : ", " + place);
  const bool known = number_ <= awaited_->begun && number_ + kept_steps > awaited_->begun;
  return {{"line", awaited_->name},
          {"ranks", awaited_->ranks},
          {"number", number_},
          {"known", known},
          {"what", known ? awaited_->last[number_ % kept_steps].text() : std::string(call_)},
          {"place", place}};
}

std::optional<json> CollectiveLog::news(std::chrono::milliseconds waiting_since) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!awaited_ || warned_ || std::chrono::steady_clock::now() - since_ < waiting_since) return std::nullopt;
  warned_ = true;
  return json{{"waits", waiting_json()}, {"lines", lines_json()}, {"full", full_}};
}

json CollectiveLog::report() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {{"lines", lines_json()}, {"full", full_}};
}

}  // namespace levin::core
