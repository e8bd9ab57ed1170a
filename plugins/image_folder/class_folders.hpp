// Folders named after the class of their images.
#pragma once
#include <string>
#include <vector>

#include "../common/other_files.hpp"
#include "pictures.hpp"

namespace image_folder {

class ClassFolders {
 public:
  // Takes the folders of `dir` as classes, sorted by the bytes of their names, and returns the images. Throws
  // levin::Error for a class without an image.
  std::vector<Picture> learn(const std::string& dir);
  // Returns the images of another folder with the same classes or some of them. Throws levin::Error for a new class.
  // label_option: the option that gives the classes of images that are in no class folders, "" = none.
  std::vector<Picture> find(const std::string& dir, const std::string& label_option);

  // Records the images directly in this folder, which have no class, for a remark.
  void note_loose_images(const std::string& dir);

  const std::vector<std::string>& names() const { return names_; }
  // Returns messages for the user about files that were left out.
  std::vector<std::string> remarks() const;

 private:
  std::vector<Picture> images_of(const std::string& dir, size_t label);
  void look_at_only_class();
  [[noreturn]] void refuse_without_classes(const std::string& dir, const std::string& label_option) const;

  std::string dir_;
  std::vector<std::string> names_;
  common::OtherFiles others_;
  std::vector<std::string> loose_;
  std::vector<std::string> remarks_;
};

}  // namespace image_folder
