// The background work of saves: one thread writes, names, announces and removes checkpoint files, in order.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace levin::core {

// What loggers get about a checkpoint besides its path.
struct SavedFacts {
  uint32_t flags = 0;   // LEVIN_SAVED_*
  std::string monitor;  // "" = none
  double score = std::numeric_limits<double>::quiet_NaN();
};

// A checkpoint that is on the disk.
struct SavedFile {
  std::string path;
  SavedFacts facts;
  int64_t epoch = 0, global_step = 0;
};

// For the training thread only. After a job has failed, the jobs behind it are skipped until the failure is thrown: no
// file is removed or announced because of a file that was not written.
class SaveQueue {
 public:
  using Job = std::function<void()>;
  SaveQueue();
  ~SaveQueue();  // waits for all jobs
  SaveQueue(const SaveQueue&) = delete;
  SaveQueue& operator=(const SaveQueue&) = delete;

  void add(Job job, std::optional<SavedFile> makes = std::nullopt);  // makes: the file that the job writes
  void in_order(Job job);                 // runs the job on this thread if no other is pending, else queues it
  void done(SavedFile file);              // for a file that the training thread has written
  void wait();                            // blocks until no job is pending
  bool failed() const;                    // returns true if a failure is not yet thrown
  std::optional<SavedFile> next_saved();  // the oldest file not yet returned
  void throw_failure();                   // throws the failure since the last call, if there is one
  void check() const;                     // the same, but keeps the failure for throw_failure()

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

// For a process that ends by a crash or because a plugin hangs: waits at most a minute for the jobs now pending in all
// queues, and writes a warning after a second. Returns at once on a thread that runs jobs. Safe in a signal handler.
void wait_for_saves_before_the_end();

// Makes `path` a hard link to `file`, or a copy where the file system has no hard links, atomically and durably.
// Replaces a file at `path`. Replacing or removing one of the two files later leaves the other unchanged. Throws
// Error{checkpoint}; then `path` is unchanged.
void name_also(const std::string& file, const std::string& path);

}  // namespace levin::core
