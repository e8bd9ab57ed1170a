// Folders that are named after the class of the images in them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "pictures.hpp"

namespace image_folder {

class ClassFolders {
 public:
  // The classes are the folders of `dir`, by the bytes of their names; each needs an image. Returns the images.
  std::vector<Picture> learn(const std::string& dir);
  // The images of another folder that has no other classes; some may be missing.
  std::vector<Picture> find(const std::string& dir);

  // Images in this folder are in no class folder.
  void note_loose_images(const std::string& dir);

  const std::vector<std::string>& names() const { return names_; }
  // What was left out, for the user.
  std::vector<std::string> remarks() const;

 private:
  std::vector<Picture> images_of(const std::string& dir, size_t label);
  void look_at_only_class();
  [[noreturn]] void refuse_without_classes(const std::string& dir) const;

  std::string dir_;
  std::vector<std::string> names_;
  std::map<std::string, size_t> others_;
  std::vector<std::string> loose_;
  std::vector<std::string> remarks_;
};

}  // namespace image_folder
