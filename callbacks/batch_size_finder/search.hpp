// The search for the largest batch size that fits into memory. The caller tries each size and calls fits() or
// does_not_fit().
#pragma once
#include <cstdint>

namespace levin::batch_size_finder {

struct SearchOptions {
  bool binary = false;  // bisect after the first size that does not fit
  int64_t init_val = 2, max_trials = 25, max_val = 8192;
  double margin = 0.05;  // fraction by which the result of a binary search is reduced
  int64_t rows = -1;     // rows of the data set; -1 = unknown
};

class Search {
 public:
  explicit Search(const SearchOptions& options)
      : options_(options), size_(options.init_val), done_(options.init_val >= options.max_val) {}
  int64_t size() const { return size_; }  // the size to try next
  bool done() const { return done_; }
  void fits();
  void does_not_fit();
  // Returns the largest size that fits; 0 = none.
  int64_t result() const;

 private:
  bool grow(int64_t to);  // returns false if there is no larger size to try
  SearchOptions options_;
  int64_t size_, low_ = 1, high_ = 0, trials_ = 0;
  bool any_ = false, done_;
};

}  // namespace levin::batch_size_finder
