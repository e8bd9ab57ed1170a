// A record of the training data. Checkpoints contain it, so that a change of the pictures is detected.
#pragma once
#include "levin/state.hpp"
#include "pictures.hpp"

namespace image_folder {

struct TrainedOn {
  std::vector<std::string> classes;
  int64_t images = 0;
  uint64_t checksum = 0;  // of the images' paths relative to the folder

  TrainedOn() = default;
  TrainedOn(const Pictures& pictures, const std::string& dir);
  void save(levin::Writer writer) const;
  bool load(levin::Reader reader);  // returns false if the state has none
};

// "cat, dog"
std::string names_in(const std::vector<std::string>& classes);

}  // namespace image_folder
