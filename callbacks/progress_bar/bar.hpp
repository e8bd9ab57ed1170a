// The text of a progress bar, without access to a clock or a terminal.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::progress_bar {

struct Progress {
  std::string title;             // "Epoch 3/11"
  int64_t done = 0, total = -1;  // batches; total is -1 if unknown
  double seconds = 0;            // the time of the batches after the first `before`
  std::vector<std::pair<std::string, double>> metrics;
  int64_t before = 0;             // number of batches done before the clock started
  int64_t split = 0, splits = 0;  // of the batch after `done` in truncated back-propagation; splits 0 = not split

  double exactly_done() const {
    const double part = splits > 0 ? static_cast<double>(split) / static_cast<double>(splits) : 0;
    return static_cast<double>(done) + part;
  }
};

// "Epoch 3/11 ━━━━━━━━━━────── 120/391 0:12<0:27 9.8 it/s loss 0.123", with the time spent and the time left, in
// `width` columns. If the width is too small, the rate, the time spent and then some of the metrics are left out.
std::string terminal_line(const Progress& progress, size_t width);

// "Epoch 3/11: 120/391 (31 %), 9.8 it/s, 0:12 done, 0:27 left, loss 0.123"
std::string plain_line(const Progress& progress);

// The final text of an epoch: "Epoch 3/11: 391/391 in 0:40, 9.8 it/s, loss 0.123, val_loss 0.456", wrapped at `width`
// columns (0 = one line). The rate is left out if the text does not fit into one line.
std::string epoch_lines(const Progress& progress, size_t width);

// Returns 0 before a batch has been timed.
double batches_per_second(const Progress& progress);

// Returns the number of batches in an epoch; -1 = unknown. With unlimited epochs, max_steps may end the epoch earlier.
int64_t total_batches(double num_training_batches, double max_epochs, double max_steps, int64_t global_step);

// Returns the number of batches to skip before the clock is read again, if nothing is due for `wait` seconds: half of
// the batches predicted by the rate so far.
int64_t batches_to_skip(int64_t done, double seconds, double wait);

// Decides when to draw: at every batch that refresh_rate divides, unless the last drawing is less than `interval`
// seconds old, and always at the last batch. refresh_rate 0 = never.
class Pace {
 public:
  Pace(int64_t refresh_rate, double interval) : rate_(refresh_rate), interval_(interval) {}
  bool candidate(int64_t done, int64_t total) const { return rate_ > 0 && (done % rate_ == 0 || done == total); }
  double wait(double now) const { return interval_ - (now - last_); }
  bool due(int64_t done, int64_t total, double now) {
    if (!candidate(done, total) || (done != total && done != 0 && now - last_ < interval_)) return false;
    last_ = now;
    return true;
  }
  // Returns true if a drawing between two batches is due.
  bool due_between(double now) {
    if (rate_ == 0 || now - last_ < interval_) return false;
    last_ = now;
    return true;
  }

 private:
  int64_t rate_;
  double interval_, last_ = -1e300;
};

// Decides when to write a line into a log file: at most every 30 s and at most 20 times in total. The caller writes the
// last line.
class PlainPace {
 public:
  void start(double now) { last_ = now, done_ = 0; }
  double wait(double now) const { return 30 - (now - last_); }
  bool due(double done, int64_t total, double now) {
    if (now - last_ < 30 || (total > 0 && (done - done_) * 20 < static_cast<double>(total))) return false;
    last_ = now, done_ = done;
    return true;
  }

 private:
  double last_ = 0, done_ = 0;
};

// Decides which epochs leave a line: those that end at least `interval` seconds after the last such line.
class LinePace {
 public:
  explicit LinePace(double interval) : interval_(interval) {}
  bool due(double now) {
    if (now - last_ < interval_) return false;
    last_ = now;
    return true;
  }

 private:
  double interval_, last_ = -1e300;
};

}  // namespace levin::progress_bar
