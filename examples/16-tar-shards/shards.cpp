// Prepares a data set of images in IDX files as tar shards: a task is a shard, with the images as PGM files and their
// classes as .cls files. The output lists the shards with their number of images, bytes and CRC-32.
#include <levin/tasks.hpp>

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "tar_file.hpp"

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

class IdxFile {
 public:
  // dimensions: 1 for labels, 3 for images.
  IdxFile(const std::string& path, size_t dimensions) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) fail("cannot read " + path);
    unsigned char head[16];
    const auto size = static_cast<unsigned>(4 + 4 * dimensions);
    if (gzread(file.get(), head, size) != static_cast<int>(size) || head[2] != 8 || head[3] != dimensions)
      fail(path + " is no IDX file of bytes with " + std::to_string(dimensions) + " dimensions");
    size_t all = 1;
    for (size_t i = 0; i < dimensions; ++i) {
      shape[i] = size_t{head[4 + 4 * i]} << 24 | size_t{head[5 + 4 * i]} << 16 | size_t{head[6 + 4 * i]} << 8 |
                 head[7 + 4 * i];
      all *= shape[i];
    }
    if (all > 1u << 30) fail(path + " has more than 1 GiB");
    bytes.resize(all);
    if (gzread(file.get(), bytes.data(), static_cast<unsigned>(all)) != static_cast<int>(all))
      fail(path + " is truncated");
  }
  std::string row(size_t i) const {
    const size_t size = shape[1] * shape[2];
    return bytes.substr(i * size, size);
  }
  size_t shape[3] = {1, 1, 1};
  std::string bytes;
};

struct ImageSet {
  explicit ImageSet(const std::string& images_path, const std::string& labels_path)
      : images(images_path, 3), labels(labels_path, 1) {
    if (images.shape[0] != labels.shape[0]) fail(images_path + " has not as many rows as " + labels_path);
  }
  IdxFile images, labels;
};

// What a task says: "train-00003 3000 1000 IMAGES LABELS FOLDER", each in a line.
struct Shard {
  std::string name, first, count, images, labels, folder;
  std::string text() const {
    return name + "\n" + first + "\n" + count + "\n" + images + "\n" + labels + "\n" + folder;
  }
  static Shard parsed(const std::string& text) {
    Shard out;
    std::istringstream in(text);
    for (std::string* part : {&out.name, &out.first, &out.count, &out.images, &out.labels, &out.folder})
      std::getline(in, *part);
    return out;
  }
};

std::string numbered(const char* format, size_t number) {
  char text[32];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

class TarShards : public levin::Tasks {
 public:
  static constexpr levin_option options[] = {levin::path("folder", "shards", "folder of the shards; it is made"),
                                             levin::integer("images", "1000", "images in a shard", 1, 1e6)};
  explicit TarShards(const levin::Args& o)
      : folder_(o.text("folder")), images_(static_cast<size_t>(o.integer("images"))) {}

  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    if (!in) fail("cannot read " + file);
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream words(line);
      std::string set, images, labels;
      if (!(words >> set >> images >> labels)) fail("a line is not 'SET IMAGES LABELS': " + line);
      const size_t all = IdxFile(labels, 1).shape[0];
      for (size_t first = 0, n = 0; first < all; first += images_, ++n) {
        const size_t count = std::min(images_, all - first);
        const Shard shard{set + numbered("-%05zu", n),   std::to_string(first), std::to_string(count), images, labels,
                          fs::absolute(folder_).string()};
        tasks.add(shard.text(), shard.name, static_cast<double>(count));
      }
    }
  }

  // A shard appears whole: it is written under a name of this attempt and then renamed.
  std::string handle(const levin::Task& task) {
    const Shard shard = Shard::parsed(task.text());
    const ImageSet& set = loaded(shard);
    TarFile tar;
    const size_t first = std::stoul(shard.first), count = std::stoul(shard.count);
    if (first + count > set.images.shape[0]) fail(shard.images + " has become shorter");
    for (size_t i = first; i < first + count; ++i) {
      const std::string name = numbered("%06zu", i);
      tar.add(name + ".pgm", "P5\n" + std::to_string(set.images.shape[2]) + " " + std::to_string(set.images.shape[1]) +
                                 "\n255\n" + set.images.row(i));
      tar.add(name + ".cls", std::to_string(static_cast<unsigned char>(set.labels.bytes[i])));
    }
    const std::string bytes = std::move(tar).finished(), path = shard.folder + "/" + shard.name + ".tar";
    write(path, bytes, task.attempt());
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    return path + " " + shard.count + " " + std::to_string(bytes.size()) + " " + numbered("%08zx", sum);
  }

  std::string sum(levin::Results& results) {
    std::string out;
    for (levin::Result result; results.next(result);) out += result.text() + "\n";
    return out;
  }

 private:
  // The last set stays in memory: the next shard is often of the same one.
  const ImageSet& loaded(const Shard& shard) {
    if (!set_ || paths_ != shard.images + "\n" + shard.labels) {
      set_ = std::make_unique<ImageSet>(shard.images, shard.labels);
      paths_ = shard.images + "\n" + shard.labels;
    }
    return *set_;
  }
  static void write(const std::string& path, const std::string& bytes, uint32_t attempt) {
    fs::create_directories(fs::path(path).parent_path());
    const std::string unfinished = path + "." + std::to_string(getpid()) + "." + std::to_string(attempt);
    std::ofstream out(unfinished, std::ios::binary);
    out << bytes;
    out.close();
    if (!out) fail("cannot write " + unfinished);
    fs::rename(unfinished, path);
  }
  const std::string folder_;
  const size_t images_;
  std::string paths_;  // of the set that is loaded
  std::unique_ptr<ImageSet> set_;
};

}  // namespace

LEVIN_PLUGIN("org.levin.example.tar_shards", "1.0.0", "Apache-2.0",
             levin::tasks<TarShards>("tar_shards", "Images in IDX files as tar shards"))
