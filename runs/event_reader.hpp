// The event files of a run folder: scalars, times and media.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runs/event_records.hpp"
#include "runs/followed_file.hpp"

namespace levin::core {

// A picture, a sound, a text, a histogram or a PR curve. Its bytes stay in the file.
struct EventMedia {
  EventValue value;  // offset: in the file
  std::filesystem::path file;
};

class EventReader {
 public:
  explicit EventReader(std::filesystem::path run) : run_(std::move(run)) {}

  // Reads what is new, up to about `budget` bytes, and subtracts them. Starts again if a file was replaced or cut.
  // Returns true if anything changed.
  bool update(size_t& budget);
  bool update() {
    size_t all = ~size_t{0};
    return update(all);
  }
  bool whole() const { return whole_; }  // the last update has read everything

  size_t starts() const { return starts_; }  // how often it has started again
  const std::vector<EventValue>& scalars() const { return scalars_; }
  const std::map<double, double>& times() const { return times_; }  // of the steps, in seconds since 1970
  const std::vector<EventMedia>& media() const { return media_; }

 private:
  const std::filesystem::path run_;
  std::vector<FollowedFile> files_;
  size_t starts_ = 0;
  bool whole_ = false;
  std::vector<EventValue> scalars_;
  std::map<double, double> times_;
  std::vector<EventMedia> media_;
};

bool has_event_files(const std::filesystem::path& folder);

}  // namespace levin::core
