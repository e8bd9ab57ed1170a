#include "trained_on.hpp"

#include <algorithm>

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
  std::string names;
  for (const std::string& name : classes) names += name + '\0';
  writer.put("classes", names);
  writer.put("images", images);
  writer.put("checksum", checksum);
}

bool TrainedOn::load(levin::Reader reader) {
  std::string names;
  if (!reader.get("classes", names) || !reader.get("images", images) || !reader.get("checksum", checksum)) return false;
  for (size_t begin = 0, end; (end = names.find('\0', begin)) != std::string::npos; begin = end + 1)
    classes.push_back(names.substr(begin, end - begin));
  return true;
}

std::string names_in(const std::vector<std::string>& classes) {
  constexpr size_t most = 10;
  std::string text;
  for (size_t i = 0; i < std::min(most, classes.size()); ++i) text += (i ? ", " : "") + classes[i];
  return classes.size() > most ? text + " and " + std::to_string(classes.size() - most) + " more" : text;
}

}  // namespace image_folder
