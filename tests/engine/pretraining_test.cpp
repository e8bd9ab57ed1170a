// Pre-training with two views, a linear probe on it, and distillation with a teacher, in real runs.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "host_process/sandbox.hpp"
#include "plugins/idx_files.hpp"
#include "saved.hpp"

namespace pretraining_test {
namespace {

// 48 images of 16 x 16 pixels in three classes, and 24 for the test.
std::string images_in(const IdxFolder& folder, uint32_t classes = 3) {
  const auto write = [&](const std::string& name, uint32_t n) {
    std::string pixels, labels;
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t p = 0; p < 256; ++p) pixels += static_cast<char>((p * (1 + i % classes) * 7 + i * 31) % 251);
      labels += static_cast<char>(i % classes);
    }
    folder.write(name + "-images-idx3-ubyte", IdxFolder::bytes({n, 16, 16}, pixels));
    folder.write(name + "-labels-idx1-ubyte", IdxFolder::bytes({n}, labels));
  };
  write("train", 48);
  write("t10k", 24);
  return "--data mnist --data.dir " + folder.path() + " --data.val_rows 12 --data.batch_size 8 ";
}

const std::string quick = LEVIN_TEST_QUIET
    "--trainer.num_threads 1 --trainer.accelerator cpu --seed_everything 3 --callback.model_checkpoint.save_last true "
    "--callback.model_checkpoint.monitor '' --logger csv --trainer.log_every_n_steps 1 ";
const std::string views =
    "--model resnet --model.task simclr --model.projection 16 --model.scheduler none --data.views 2 "
    "--data.transforms 'random_resized_crop:16:0.3, flip, color_jitter, normalize' --trainer.max_epochs 2 ";

}  // namespace

TEST_CASE("pre-training is the same after a stop within an epoch, and a start for a linear probe") {
  const Sandbox sandbox;
  const IdxFolder folder;
  const std::string words = images_in(folder) + quick;
  REQUIRE(sandbox.host("fit " + words + views).code == 0);
  const std::string table = sandbox.read(sandbox.run(0) / "metrics.csv");
  for (const char* name : {"train_loss", "train_acc", "val_loss", "val_acc"})
    CHECK_THAT(table, ContainsSubstring(name));
  REQUIRE(sandbox.host("fit " + words + views + "--trainer.max_steps 3").code == 0);
  REQUIRE(sandbox.host("resume " + sandbox.run(1).string() + " --max_steps -1").code == 0);
  CHECK(difference(last(sandbox, 0), last(sandbox, 1)) == "");

  const Outcome probe = sandbox.host("fit " + words +
                                     "--model resnet --trainer.max_epochs 1 --model.freeze '*, !fc' "
                                     "--model.init_match fitting --model.init_from " +
                                     last(sandbox, 0));
  CHECK(probe.code == 0);
  CHECK_THAT(probe.err, ContainsSubstring("fc.weight") && ContainsSubstring("projection"));
  CHECK(bytes_of(levin::core::SafetensorsReader(last(sandbox, 0)), "state_dict.conv1.weight") ==
        bytes_of(levin::core::SafetensorsReader(last(sandbox, 2)), "state_dict.conv1.weight"));

  const Outcome one_view = sandbox.host("fit " + words + "--model resnet --model.task simclr");
  CHECK(one_view.code != 0);
  CHECK_THAT(one_view.error(), ContainsSubstring("no field 'x2' of the shape [1, 16, 16]: give --data.views 2"));
}

TEST_CASE("two ranks pre-train with each other's rows as negatives") {
  const Sandbox sandbox;
  const IdxFolder folder;
  const std::string words = "fit " + images_in(folder) + quick + views + "--trainer.max_steps 1 --trainer.devices ";
  const auto first_loss = [&](int ranks) {
    REQUIRE(sandbox.host(words + std::to_string(ranks)).code == 0);
    std::istringstream table(sandbox.read(sandbox.run(ranks - 1) / "metrics.csv"));
    std::string header, row;
    std::getline(table, header), std::getline(table, row);
    const auto before = header.substr(0, header.find("train_loss"));
    std::istringstream cells(row);
    std::string cell;
    for (auto i = std::count(before.begin(), before.end(), ','); i >= 0; --i) std::getline(cells, cell, ',');
    return std::stod(cell);
  };
  // A guess has the logarithm of the number of other views as its loss: 15 in one batch of 8 rows, 31 in two.
  CHECK(first_loss(1) == Approx(std::log(15)).margin(0.3));
  CHECK(first_loss(2) == Approx(std::log(31)).margin(0.3));
}

TEST_CASE("a checkpoint or a TorchScript file teaches another network, also after a resume from another folder") {
  const Sandbox sandbox;
  const IdxFolder folder, four("four");
  const std::string words = images_in(folder) + quick;
  REQUIRE(sandbox.host("fit " + words + "--model resnet --trainer.max_epochs 1").code == 0);
  const std::string teacher = last(sandbox, 0), script = (sandbox.folder() / "teacher.ts").string();
  REQUIRE(sandbox.host("export " + teacher + " --output " + script).code == 0);
  const std::string student = "--model cnn --trainer.max_epochs 2 --model.teacher ";
  const auto relative = std::filesystem::relative(teacher, sandbox.folder()).string();

  REQUIRE(sandbox.host("fit " + words + student + relative).code == 0);
  CHECK_THAT(sandbox.read(sandbox.run(1) / "metrics.csv"), ContainsSubstring("train_teacher_loss"));
  REQUIRE(sandbox.host("fit " + words + student + script).code == 0);
  for (const std::string& name : levin::core::SafetensorsReader(last(sandbox, 1)).names())
    CHECK_THAT(name, !ContainsSubstring("layer1"));  // of the teacher alone
  REQUIRE(sandbox.host("fit " + words + student + relative + " --trainer.max_steps 3").code == 0);
  const std::string resume = "cd / && \"$HOST\" resume " + sandbox.run(3).string() + " --max_steps -1";
  Program elsewhere = sandbox.script(resume);
  elsewhere.variables["HOST"] = LEVIN_TEST_HOST;
  REQUIRE(run_program(elsewhere).code == 0);
  CHECK(difference(last(sandbox, 1), last(sandbox, 3)) == "");

  const auto refused = [&](const std::string& more, const std::string& message) {
    const Outcome outcome = sandbox.host("fit " + more);
    CHECK(outcome.code != 0);
    CHECK_THAT(outcome.error(), ContainsSubstring(message));
  };
  refused(words + student + "gone.ckpt", "gone.ckpt: no such file");
  refused(words + student + LEVIN_TEST_WEIGHTS "/state_dict-1.13.pt",
          "not a checkpoint of Levin, and not a TorchScript file with a network");
  refused(images_in(four, 4) + quick + student + teacher, "was trained for 3 classes, and the data has 4");
  refused(words + "--data.resize 24 " + student + teacher,
          "was trained on inputs [1, 16, 16], and the data has [1, 24, 24]");
}

}  // namespace pretraining_test
