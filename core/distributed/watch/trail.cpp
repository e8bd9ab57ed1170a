#include "core/distributed/watch/trail.hpp"

#include <algorithm>

namespace levin::core {
namespace {

constexpr uint64_t kept_steps = 16;  // of a line

}  // namespace

using nlohmann::json;

std::string TrailStep::text() const {
  std::string out = call;
  if (*type) {
    out += std::string(" of ") + type + "[";
    const auto shown = std::min(dimensions, static_cast<int64_t>(sizes.size()));
    for (int64_t d = 0; d < shown; ++d) out += (d > 0 ? ", " : "") + std::to_string(sizes[static_cast<size_t>(d)]);
    out += dimensions > shown ? ", ...]" : "]";
  }
  return *purpose ? out + " (" + purpose + ")" : out;
}

TrailLine* Trail::line(const std::string& name, const std::vector<int>& ranks) {
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

uint64_t Trail::begin(TrailLine* line, const TrailStep& step) {
  if (!line) return 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  const size_t place = ++line->begun % kept_steps;
  if (line->last.size() <= place) line->last.resize(place + 1);
  line->last[place] = step;
  return line->begun;
}

Trail::Wait::Wait(Trail* trail, const TrailLine* line, uint64_t number, const char* call)
    : trail_(line ? trail : nullptr) {
  if (!trail_) return;
  const std::lock_guard<std::mutex> lock(trail_->mutex_);
  trail_->awaited_ = line;
  trail_->number_ = number;
  trail_->call_ = call;
  trail_->caller_ = breadcrumb;
  trail_->since_ = std::chrono::steady_clock::now();
  trail_->told_ = false;
}

Trail::Wait::~Wait() {
  if (!trail_) return;
  const std::lock_guard<std::mutex> lock(trail_->mutex_);
  trail_->awaited_ = nullptr;
  trail_->place_.clear();
}

void Trail::still_waits(const std::function<std::string()>& place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!awaited_ || !place_.empty() || std::chrono::steady_clock::now() - since_ < std::chrono::milliseconds(300))
    return;
  place_ = place ? place() : "";
}

json Trail::lines_json() const {
  json out = json::object();
  for (const TrailLine& line : lines_) {
    json last = json::object();
    for (uint64_t n = line.begun; n > 0 && n + kept_steps > line.begun; --n)
      last[std::to_string(n)] = line.last[n % kept_steps].text();
    out[line.name] = {{"begun", line.begun}, {"last", std::move(last)}};
  }
  return out;
}

json Trail::waiting_json() const {
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

std::optional<json> Trail::news(std::chrono::milliseconds waiting_since) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!awaited_ || told_ || std::chrono::steady_clock::now() - since_ < waiting_since) return std::nullopt;
  told_ = true;
  return json{{"waits", waiting_json()}, {"lines", lines_json()}, {"full", full_}};
}

json Trail::report() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {{"lines", lines_json()}, {"full", full_}};
}

}  // namespace levin::core
