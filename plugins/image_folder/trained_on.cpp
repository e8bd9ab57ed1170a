#include "trained_on.hpp"

#include <algorithm>

#include "../common/class_names.hpp"

namespace image_folder {

TrainedOn::TrainedOn(const Pictures& pictures, const std::string& dir) : classes(pictures.classes) {
  checksum = UINT64_C(0xcbf29ce484222325);  // FNV-1a
  for (const levin::Split split : {levin::Split::train, levin::Split::val})
    for (const Picture& picture : pictures.of(split)) {
      ++images;
      for (size_t i = std::min(dir.size(), picture.path.size()); i <= picture.path.size(); ++i)
        checksum = (checksum ^ static_cast<uint8_t>(picture.path.c_str()[i])) * UINT64_C(0x100000001b3);
    }
}

void TrainedOn::save(levin::Writer writer) const {
  writer.put("classes", common::packed_names(classes));
  writer.put("images", images);
  writer.put("checksum", checksum);
}

bool TrainedOn::load(levin::Reader reader) {
  std::string names;
  if (!reader.get("classes", names) || !reader.get("images", images) || !reader.get("checksum", checksum)) return false;
  classes = common::unpacked_names(names);
  return true;
}

std::string names_in(const std::vector<std::string>& classes) {
  constexpr size_t most = 10;
  std::string text;
  for (size_t i = 0; i < std::min(most, classes.size()); ++i) text += (i ? ", " : "") + classes[i];
  return classes.size() > most ? text + " and " + std::to_string(classes.size() - most) + " more" : text;
}

}  // namespace image_folder
