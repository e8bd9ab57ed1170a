#include "runs/event_reader.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "runs/own_file.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> event_files(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code unknown;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown))
    if (starts_with(at->path().filename().string(), "events.out.tfevents.") && is_own_file(folder, at->path()))
      out.push_back(at->path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool has_event_files(const fs::path& folder) { return !event_files(folder).empty(); }

bool EventReader::update(size_t& budget) {
  const std::vector<fs::path> found = event_files(run_);
  bool changed = found.size() < files_.size();
  for (size_t i = 0; i < files_.size() && !changed; ++i)
    changed = files_[i].path() != found[i] || files_[i].is_another();
  if (changed) {
    ++starts_;
    files_.clear();
    scalars_.clear();
    times_.clear();
    media_.clear();
  }
  for (size_t i = files_.size(); i < found.size(); ++i) files_.emplace_back(found[i]);
  whole_ = true;
  for (FollowedFile& file : files_) {
    const auto use = [&](const std::string& bytes, uint64_t offset) {
      std::vector<EventValue> values;
      const size_t used = read_event_records(bytes, values);
      for (EventValue& value : values) {
        changed = true;
        if (value.time > 0) times_.emplace(value.step, value.time);
        if (value.kind == EventKind::scalar) {
          scalars_.push_back(std::move(value));
        } else {
          value.offset += offset;
          media_.push_back({std::move(value), file.path()});
        }
      }
      return used;
    };
    whole_ = file.read_on(use, budget) && whole_;
  }
  return changed;
}

}  // namespace levin::core
