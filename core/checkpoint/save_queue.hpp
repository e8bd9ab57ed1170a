// What saves leave to do beside training: files are written, named, announced and removed by one thread, in order.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace levin::core {

// What loggers are told of a checkpoint beside its path.
struct SavedFacts {
  uint32_t flags = 0;   // LEVIN_SAVED_*
  std::string monitor;  // "": none
  double score = std::numeric_limits<double>::quiet_NaN();
};

// A checkpoint that is on the disk.
struct SavedFile {
  std::string path;
  SavedFacts facts;
  int64_t epoch = 0, global_step = 0;
};

// Its functions are for the training thread. Once a job has failed, those after it are left out until the failure is
// thrown: nothing is removed or announced for a file that is not there.
class SaveQueue {
 public:
  using Job = std::function<void()>;
  SaveQueue();
  ~SaveQueue();  // waits for every job
  SaveQueue(const SaveQueue&) = delete;
  SaveQueue& operator=(const SaveQueue&) = delete;

  void add(Job job, std::optional<SavedFile> makes = std::nullopt);  // makes: what is on the disk when it is done
  void in_order(Job job);                 // runs it here and now if nothing is left to do before it, else adds it
  void done(SavedFile file);              // the training thread has written it itself
  void wait();                            // until no job is left
  bool failed() const;                    // whether a failure waits to be thrown
  std::optional<SavedFile> next_saved();  // the oldest that nobody was told of
  void throw_failure();                   // the first since the last call, if there is one
  void check() const;                     // throws the same, which then still waits to be thrown

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

// For a process that ends by a crash or because a plugin hangs: waits until the jobs that all queues have now are done,
// a minute at most, and says so if it takes long. The thread that does the jobs does not wait for itself. Safe in a
// signal handler.
void wait_for_saves_before_the_end();

}  // namespace levin::core
