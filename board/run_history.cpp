#include "board/run_history.hpp"

#include <algorithm>
#include <map>

#include "board/thinned.hpp"
#include "core/base/text.hpp"

namespace levin::core::board {
namespace {

using nlohmann::json;

constexpr size_t piece = 1 << 18;  // some 10 ms of a metrics.csv
constexpr size_t most_of_text = 64 << 10, most_of_tag = 200;
constexpr const char* kind_names[] = {"scalar", "image", "audio", "text", "histogram", "pr_curve"};

const char* kind_name(const EventMedia& one) { return kind_names[static_cast<size_t>(one.value.kind)]; }

// The places of the media to list: of each tag the last one, and others at equal intervals.
std::vector<size_t> listed(const std::vector<EventMedia>& all) {
  std::map<std::pair<EventKind, std::string>, std::vector<size_t>> by_tag;
  for (size_t i = 0; i < all.size(); ++i) by_tag[{all[i].value.kind, all[i].value.tag}].push_back(i);
  std::vector<size_t> out;
  for (const auto& [key, places] : by_tag) {
    const size_t n = std::min(places.size(), most_of_tag);
    for (size_t i = 0; i < n; ++i) out.push_back(places[n == 1 ? 0 : i * (places.size() - 1) / (n - 1)]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool RunHistory::read_piece() {
  const std::lock_guard lock(mutex_);
  reader_.update(piece);
  return reader_.whole();
}

json RunHistory::metrics(size_t points) const {
  const std::lock_guard lock(mutex_);
  const std::map<double, double>& times = reader_.events().times();
  json out = json::object();
  for (const auto& [name, history] : reader_.metrics()) {
    json steps = json::array(), epochs = json::array(), minutes = json::array(), values = json::array();
    for (const size_t i : thinned(history.values, points)) {
      const auto time = times.find(history.steps[i]);
      steps.push_back(history.steps[i]);
      epochs.push_back(history.epochs[i]);
      minutes.push_back(time == times.end() ? json(nullptr) : json((time->second - times.begin()->second) / 60));
      values.push_back(history.values[i]);  // JSON has null for what is not finite
    }
    out[name] = {{"steps", std::move(steps)},
                 {"epochs", std::move(epochs)},
                 {"minutes", std::move(minutes)},
                 {"values", std::move(values)},
                 {"points", history.values.size()}};
  }
  return out;
}

json RunHistory::media() const {
  std::vector<EventMedia> shown;
  std::vector<size_t> places;
  {
    const std::lock_guard lock(mutex_);
    const std::vector<EventMedia>& all = reader_.events().media();
    places = listed(all);
    for (const size_t place : places) shown.push_back(all[place]);
  }
  json out = json::array();
  for (size_t i = 0; i < shown.size(); ++i) {
    const EventValue& value = shown[i].value;
    json entry = {{"kind", kind_name(shown[i])}, {"tag", value.tag}, {"step", value.step}, {"place", places[i]}};
    if (value.kind == EventKind::text)
      entry["text"] = printable(bytes_of_file(shown[i].file, value.offset, std::min(value.length, most_of_text)));
    if (value.kind == EventKind::histogram)
      entry["lowest"] = value.lowest, entry["limits"] = value.limits, entry["counts"] = value.counts;
    if (value.kind == EventKind::pr_curve) entry["precision"] = value.precision, entry["recall"] = value.recall;
    out.push_back(std::move(entry));
  }
  return out;
}

std::string RunHistory::media_bytes(size_t place) const {
  EventMedia one;
  {
    const std::lock_guard lock(mutex_);
    if (place >= reader_.events().media().size()) return "";
    one = reader_.events().media()[place];
  }
  return bytes_of_file(one.file, one.value.offset, one.value.length);
}

HistoryThread::HistoryThread() : thread_([this] { work(); }) {}

HistoryThread::~HistoryThread() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::vector<bool> HistoryThread::read(const std::vector<std::shared_ptr<RunHistory>>& runs,
                                      std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  std::vector<uint64_t> wanted;
  for (const auto& run : runs) {
    wanted.push_back(++run->asked_);
    if (!std::exchange(run->queued_, true)) queue_.push_back(run);
  }
  changed_.notify_all();
  const auto is_read = [&](size_t i) { return runs[i]->read_ >= wanted[i]; };
  changed_.wait_for(lock, patience, [&] {
    for (size_t i = 0; i < runs.size(); ++i)
      if (!is_read(i)) return false;
    return true;
  });
  std::vector<bool> out;
  for (size_t i = 0; i < runs.size(); ++i) out.push_back(!is_read(i));
  return out;
}

void HistoryThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ends_ || !queue_.empty(); });
    if (ends_) return;
    const std::shared_ptr<RunHistory> run = queue_.front();
    queue_.pop_front();
    run->queued_ = false;
    const uint64_t asked = run->asked_;
    lock.unlock();
    bool whole = true;
    try {
      whole = run->read_piece();
    } catch (const std::exception&) {  // no memory, or the folder is going away
    }
    lock.lock();
    if (whole) run->read_ = asked;
    if (!whole && !std::exchange(run->queued_, true)) queue_.push_back(run);
    changed_.notify_all();
  }
}

}  // namespace levin::core::board
