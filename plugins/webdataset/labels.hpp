// The targets of samples: classes or numbers.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "levin/state.hpp"

namespace webdataset {

// Classes. If most targets are numbers, those that are whole, from 0 to 999999, are the classes' indices, and no others
// are classes; otherwise classes are texts.
class Labels {
 public:
  // targets: of the training samples. place: returns the place of one, for messages. Returns a warning about classes
  // without a sample; "" = all have one. Throws levin::Error if there are more than a million classes, or less than
  // two.
  std::string learn(const std::vector<std::string>& targets, const std::function<std::string(size_t)>& place);
  // Returns the index of the class; nullopt = it is none of those learned.
  std::optional<int64_t> of(const std::string& target) const;
  // Returns why a target has no index, behind "is 'x', ".
  std::string problem(const std::string& target) const;
  int64_t size() const { return n_; }
  const std::vector<std::string>& names() const { return names_; }  // empty if the classes are numbers
  std::string name(int64_t index) const;

  void save(levin::Writer writer) const;
  bool load(levin::Reader reader);  // returns false if the state has none
  bool operator!=(const Labels& other) const { return n_ != other.n_ || names_ != other.names_; }

 private:
  int64_t n_ = 0;
  std::vector<std::string> names_;  // sorted
};

// Returns a finite number; nullopt = the text is none.
std::optional<float> number_in(const std::string& text);

}  // namespace webdataset
