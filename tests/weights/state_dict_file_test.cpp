#include "core/weights/state_dict_file.hpp"

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "tests/weights/files.hpp"

using namespace levin::core;
using weights_test::golden;

namespace {

template <class T>
std::vector<T> values(const StateDictFile& file, const std::string& name) {
  const StoredTensor tensor = file.tensor(name);
  REQUIRE(tensor.bytes % sizeof(T) == 0);
  std::vector<T> out(tensor.bytes / sizeof(T));
  copy_dense(tensor, out.data());
  return out;
}

std::string problem(const std::string& path) {
  try {
    const StateDictFile file(path);
    for (const std::string& name : file.names()) {
      const StoredTensor tensor = file.tensor(name);
      if (tensor.bytes > 1 << 20) continue;
      std::vector<char> bytes(tensor.bytes);
      copy_dense(tensor, bytes.data());
    }
    return "";
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::checkpoint);
    CHECK_THAT(e.what(), ContainsSubstring(path));
    return e.what();
  }
}

std::string safetensors(const std::vector<std::pair<std::string, float>>& tensors) {
  nlohmann::json header = nlohmann::json::object();
  std::string data;
  for (const auto& [name, value] : tensors) {
    header[name] = {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {data.size(), data.size() + 4}}};
    data.append(reinterpret_cast<const char*>(&value), 4);
  }
  const std::string text = header.dump();
  const uint64_t n = text.size();
  return std::string(reinterpret_cast<const char*>(&n), 8) + text + data;
}

}  // namespace

TEST_CASE("a state_dict of Python is read, whichever release wrote it") {
  for (const char* name : {"state_dict-1.13.pt", "state_dict-2.pt", "zip64-1.13.pt"}) {
    const StateDictFile file(golden(name));
    INFO(name);
    CHECK(file.format() == "a state_dict of PyTorch");
    CHECK(file.names() == std::vector<std::string>{"conv.bias", "conv.weight", "head.0.bias", "head.0.weight",
                                                   "norm.bias", "norm.num_batches_tracked", "norm.running_mean",
                                                   "norm.running_var", "norm.weight"});
    CHECK(file.tensor("conv.weight").shape == std::vector<uint64_t>{2, 1, 2, 2});
    CHECK(values<float>(file, "conv.weight") == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(values<float>(file, "head.0.weight") == std::vector<float>{400, 401, 402, 403, 404, 405});
    CHECK(values<int64_t>(file, "norm.num_batches_tracked") == std::vector<int64_t>{0});
  }
}

TEST_CASE("views, scalars, empty tensors and every type keep their values") {
  for (const char* name : {"odd-1.13.pt", "odd-1.13-legacy.pt", "odd-2.pt", "odd-2-legacy.pt"}) {
    const StateDictFile file(golden(name));
    INFO(name);
    CHECK(file.names().size() == 12);
    CHECK(file.tensor("transposed").shape == std::vector<uint64_t>{6, 4});
    const auto transposed = values<float>(file, "transposed");
    CHECK(std::vector<float>(transposed.begin(), transposed.begin() + 5) == std::vector<float>{0, 6, 12, 18, 1});
    CHECK(values<float>(file, "slice") == std::vector<float>{6, 8, 10, 12, 14, 16});
    CHECK(values<float>(file, "expanded") == std::vector<float>(6, 7.0f));
    CHECK(values<float>(file, "tied")[23] == 23);
    CHECK(file.tensor("scalar").shape.empty());
    CHECK(values<double>(file, "scalar") == std::vector<double>{2.5});
    CHECK(file.tensor("empty").shape == std::vector<uint64_t>{0, 3});
    CHECK(values<float>(file, "empty").empty());
    CHECK(file.tensor("half").dtype == "F16");
    CHECK(values<uint16_t>(file, "half") == std::vector<uint16_t>{0, 0x3c00, 0x4000});
    CHECK(file.tensor("bfloat").dtype == "BF16");
    CHECK(values<uint16_t>(file, "bfloat") == std::vector<uint16_t>{0, 0x3f80, 0x4000});
    CHECK(values<uint8_t>(file, "flags") == std::vector<uint8_t>{1, 0});
    CHECK(values<int64_t>(file, "longs") == std::vector<int64_t>{-1, int64_t{1} << 40});
    CHECK(values<uint8_t>(file, "bytes") == std::vector<uint8_t>{0, 1, 2});
    CHECK(values<float>(file, "parameter") == std::vector<float>{1, 1});
  }
}

TEST_CASE("the weights are found in checkpoints of Lightning, in whole modules, and in what C++ saved") {
  for (const char* name : {"lightning-1.13.ckpt", "lightning-2.ckpt"}) {
    const StateDictFile file(golden(name));
    INFO(name);
    CHECK(file.format() == "a checkpoint of Lightning");
    CHECK(file.names().size() == 9);
    CHECK(values<float>(file, "net.conv.weight")[7] == 7);
  }
  const StateDictFile module(golden("module-1.13.pt")), script(golden("script-1.13.pt")), cpp(golden("cpp-1.13.pt"));
  CHECK(module.names() == StateDictFile(golden("state_dict-1.13.pt")).names());
  CHECK(script.names() == module.names());
  for (const StateDictFile* file : {&module, &script}) CHECK(values<float>(*file, "head.0.weight")[5] == 405);
  CHECK(cpp.contains("0.weight"));
  CHECK(cpp.contains("1.running_var"));
  CHECK(values<float>(cpp, "0.weight") == std::vector<float>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("safetensors are read, alone and by an index, and of a checkpoint its weights") {
  const TempFolder folder;
  const StateDictFile one(folder.write("one.safetensors", safetensors({{"a", 1}, {"b", 2}})));
  CHECK(one.names() == std::vector<std::string>{"a", "b"});
  CHECK(values<float>(one, "b") == std::vector<float>{2});
  folder.write("model-1.safetensors", safetensors({{"a", 1}, {"b", 2}}));
  folder.write("model-2.safetensors", safetensors({{"c", 3}}));
  const auto index = [&](const std::string& map) {
    return folder.write("model.safetensors.index.json",
                        R"({"metadata": {"total_size": 12}, "weight_map": )" + map + "}");
  };
  const StateDictFile sharded(index(R"({"b": "model-1.safetensors", "c": "model-2.safetensors"})"));
  CHECK(sharded.names() == std::vector<std::string>{"b", "c"});
  CHECK(values<float>(sharded, "c") == std::vector<float>{3});
  CHECK_THAT(problem(index(R"({"c": "model-1.safetensors"})")), ContainsSubstring("where it is not"));
  CHECK_THAT(problem(index(R"({"c": "../model-1.safetensors"})")), ContainsSubstring("not the name of a file beside"));
  CHECK_THAT(problem(index(R"({"c": 3})")), ContainsSubstring("not the name of a file beside"));

  const float value = 4;
  SafetensorsContent content;
  content.tensors.push_back({"state_dict.net.a", "F32", {1}, &value, 4});
  content.tensors.push_back({"optimizer_states.0.x", "F32", {1}, &value, 4});
  const std::string path = folder.write("own.ckpt", "");
  write_safetensors(path, content);
  const StateDictFile own(path);
  CHECK(own.format() == "a checkpoint");
  CHECK(own.names() == std::vector<std::string>{"net.a"});
}

TEST_CASE("a tensor of another form has its name in the file, and is refused with what to do") {
  const struct {
    const char *file, *says;
  } cases[] = {{"sparse-1.13.pt", "it is sparse; save its to_dense()"},
               {"sparse-1.13-legacy.pt", "it is sparse; save its to_dense()"},
               {"csr-1.13.pt", "it is sparse; save its to_dense()"},
               {"quantized-1.13.pt", "it is quantized; save its dequantize()"},
               {"meta-1.13.pt", "it is on the device meta, without values"},
               {"listed-1.13.pt", "it is a list of tensors"}};
  for (const auto& c : cases) {
    INFO(c.file);
    const StateDictFile file(golden(c.file));
    CHECK(file.names() == std::vector<std::string>{"dense", "other"});
    CHECK(values<float>(file, "dense") == std::vector<float>{0, 1, 2, 0});
    CHECK_THROWS_WITH(file.tensor("other"), ContainsSubstring("tensor 'other': ") && ContainsSubstring(c.says));
  }
  CHECK_THAT(problem(golden("quantized-1.13-legacy.pt")), ContainsSubstring("it is quantized; save its dequantize()"));
  const StateDictFile subclass(golden("subclass-1.13.pt"));
  CHECK(values<float>(subclass, "other") == std::vector<float>{0, 1, 2, 0});
}

TEST_CASE("files without weights, and of other formats, say what they are") {
  const TempFolder folder;
  CHECK_THAT(problem(golden("list-1.13.pt")), ContainsSubstring("it is not a state_dict; save model.state_dict()"));
  CHECK_THAT(problem(golden("deflated-1.13.pt")), ContainsSubstring("is compressed or encrypted"));
  CHECK_THAT(problem(folder.write("x.h5", "\x89HDF\r\n")),
             ContainsSubstring("it is an HDF5 file, which is not supported"));
  CHECK_THAT(problem(folder.write("x.gguf", "GGUF....")), ContainsSubstring("a GGUF file"));
  CHECK_THAT(problem(folder.write("x.pkl", "\x80\x04K\x01.")), ContainsSubstring("pickle without PyTorch's storages"));
  CHECK_FALSE(problem(folder.write("x.pt", "")).empty());
  CHECK_FALSE(problem(folder.write("x.csv", "a,b\n1,2\n")).empty());
  CHECK_THAT(problem("/no/such.pt"), ContainsSubstring("no such file"));
}

TEST_CASE("changed bytes of a file lead to weights within it or a clean refusal") {
  const TempFolder folder;
  for (const char* name : {"odd-1.13-legacy.pt", "lightning-1.13.ckpt"}) {
    const std::string whole = bytes_of(golden(name));
    const size_t step = std::getenv("LEVIN_FUZZ_ROUNDS") ? 1 : 7;  // LEVIN_FUZZ_ROUNDS: every byte
    for (size_t i = 0; i < whole.size(); i += step) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << i % 8));
      problem(folder.write("x.pt", bytes));
    }
    for (size_t n = 0; n < whole.size(); n += 41) problem(folder.write("x.pt", whole.substr(0, n)));
  }
}
