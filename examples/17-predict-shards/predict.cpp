// Predictions of a trained model for the images in tar shards: a task is a shard. The output has a line for each image:
// its name, the predicted class and its probability; the last line is the accuracy.
#include <ATen/Parallel.h>
#include <levin/inference.hpp>
#include <levin/tasks.hpp>
#include <levin/torch.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

[[noreturn]] void fail(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

// The images of a shard, their names and classes.
struct Shard {
  torch::Tensor images;  // [count, 1, height, width], bytes
  std::vector<std::string> names;
  std::vector<int64_t> classes;
};

torch::Tensor read_pgm(const std::string& bytes) {
  std::istringstream in(bytes);
  std::string kind;
  int64_t width = 0, height = 0, most = 0;
  in >> kind >> width >> height >> most;
  in.get();
  if (!in || kind != "P5" || most != 255 || width < 1 || height < 1 || width > 4096 || height > 4096)
    fail("not an image");
  torch::Tensor out = torch::empty({1, height, width}, torch::kByte);
  if (!in.read(static_cast<char*>(out.data_ptr()), out.numel())) fail("an image is truncated");
  return out;
}

Shard read_shard(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("cannot read " + path);
  Shard out;
  std::vector<torch::Tensor> images;
  for (char head[512]; in.read(head, sizeof head) && head[0] != '\0';) {
    const std::string name(head, strnlen(head, 100)), size_text(head + 124, 11);
    const size_t size = std::stoul(size_text, nullptr, 8), dot = name.rfind('.');
    if (dot == std::string::npos || size > 1u << 26) fail(path + " has a member " + name);
    std::string bytes(size, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    if (!in) break;
    in.ignore(static_cast<std::streamsize>((512 - size % 512) % 512));
    if (name.substr(dot) == ".pgm") images.push_back(read_pgm(bytes)), out.names.push_back(name.substr(0, dot));
    if (name.substr(dot) == ".cls") out.classes.push_back(std::stoll(bytes));
  }
  if (!in) fail(path + " is truncated");  // a block of zeros ends an archive
  if (images.empty() || images.size() != out.classes.size()) fail(path + " does not have images with a class each");
  out.images = torch::stack(images);
  return out;
}

class PredictShards : public levin::Tasks {
 public:
  static constexpr levin_option options[] = {
      levin::required(levin::path("checkpoint", "", "checkpoint of the model")),
      levin::text("only", "\"\"", "predict only for shards whose path has this text"),
      levin::integer("batch_size", "250", "images that the model gets at once", 1, 100000),
      levin::number("mean", "0.286", "mean to subtract from pixels in 0..1, as in training"),
      levin::number("std", "0.353", "standard deviation to divide by, as in training", 1e-6, 1e3)};
  explicit PredictShards(const levin::Args& o)
      : checkpoint_(o.text("checkpoint")),
        only_(o.text("only")),
        batch_size_(o.integer("batch_size")),
        mean_(o.number("mean")),
        std_(o.number("std")) {}

  // The file lists a shard in each line; more words in a line are its number of images and so on.
  void read(const std::string& file, levin::TaskList& tasks) {
    std::ifstream in(file);
    if (!in) fail("cannot read " + file);
    for (std::string line, path; std::getline(in, line);) {
      if (!(std::istringstream(line) >> path) || path.find(only_) == std::string::npos) continue;
      if (!std::filesystem::is_regular_file(path)) fail("there is no shard " + path);
      tasks.add(std::filesystem::absolute(path).string(), path);
    }
  }

  std::string handle(const levin::Task& task) {
    if (!model_) {  // once in each worker; the workers share the cores
      at::set_num_threads(1);
      model_ = std::make_unique<levin::Predictor>(checkpoint_);
    }
    const Shard shard = read_shard(task.text());
    std::string out;
    for (int64_t from = 0; from < shard.images.size(0); from += batch_size_) {
      const torch::Tensor batch = shard.images.slice(0, from, from + batch_size_).to(torch::kFloat) / 255;
      const torch::Tensor chances = model_->predict((batch - mean_) / std_).softmax(1);
      const auto [best, classes] = chances.max(1);
      for (int64_t i = 0; i < classes.size(0); ++i) {
        char line[200];
        const auto at = static_cast<size_t>(from + i);
        std::snprintf(line, sizeof line, "%.60s %lld %lld %.3f\n", shard.names[at].c_str(),
                      static_cast<long long>(classes[i].item<int64_t>()), static_cast<long long>(shard.classes[at]),
                      best[i].item<double>());
        out += line;
      }
    }
    return out;
  }

  void sum(levin::Results& results, levin::Output& output) {
    int64_t right = 0, all = 0;
    for (levin::Result result; results.next(result);) {
      const std::string text = result.text();
      std::istringstream lines(text);
      for (std::string name, chance, predicted, known; lines >> name >> predicted >> known >> chance; ++all)
        right += predicted == known;
      output.write(text);
    }
    output.write("accuracy " + std::to_string(static_cast<double>(right) / static_cast<double>(all)) + "\n");
  }

 private:
  const std::string checkpoint_, only_;
  const int64_t batch_size_;
  const double mean_, std_;
  std::unique_ptr<levin::Predictor> model_;
};

}  // namespace

LEVIN_PLUGIN("org.levin.example.predict_shards", "1.0.0", "Apache-2.0",
             levin::tasks<PredictShards>("predict_shards", "Predictions for images in tar shards"))
