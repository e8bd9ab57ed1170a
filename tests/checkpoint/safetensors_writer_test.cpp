#include "core/checkpoint/container/safetensors_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;

TEST_CASE("what is written is read again") {
  const TempFolder temp;
  const SafetensorsContent content = sample_content();
  write_safetensors(temp / "a.ckpt", content);

  const SafetensorsReader reader(temp / "a.ckpt");
  reader.verify();
  CHECK(reader.metadata() == content.metadata);
  CHECK(reader.manifest() == content.manifest);
  CHECK(reader.names() == std::vector<std::string>{"empty", "mask", "model.weight", "optimizer.lr", "optimizer.steps"});
  for (const TensorEntry& entry : content.tensors) {
    CAPTURE(entry.name);
    const TensorView view = reader.tensor(entry.name);
    CHECK(view.dtype == entry.dtype);
    CHECK(view.shape == entry.shape);
    REQUIRE(view.bytes == entry.bytes);
    CHECK((entry.bytes == 0 || std::memcmp(view.data, entry.data, entry.bytes) == 0));
    CHECK(reinterpret_cast<uintptr_t>(view.data) % 64 == 0);
  }
}

TEST_CASE("the bytes on the disk depend on the content alone and are those of format 1") {
  const TempFolder temp;
  SafetensorsContent content = sample_content();
  write_safetensors(temp / "a.ckpt", content);
  std::reverse(content.tensors.begin(), content.tensors.end());
  write_safetensors(temp / "b", content);
  CHECK(bytes_of(temp / "a.ckpt") == bytes_of(temp / "b"));
  CHECK(bytes_of(temp / "a.ckpt") == bytes_of(LEVIN_GOLDEN "/v1.ckpt"));
}

TEST_CASE("the golden file of format 1 is read") {
  const SafetensorsReader reader(LEVIN_GOLDEN "/v1.ckpt");
  reader.verify();
  CHECK(reader.manifest() == sample_content().manifest);
  CHECK(reader.tensor("model.weight").shape == std::vector<uint64_t>{5, 3});
}

TEST_CASE("a checkpoint may hold nothing, or a great many tensors") {
  const TempFolder temp;
  write_safetensors(temp / "nothing.ckpt", {});
  CHECK(SafetensorsReader(temp / "nothing.ckpt").names().empty());

  SafetensorsContent content;
  std::vector<uint8_t> data(300);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i);
  for (uint64_t i = 0; i < 300; ++i) content.tensors.push_back({"t" + std::to_string(i), "U8", {i}, data.data(), i});
  write_safetensors(temp / "many.ckpt", content);
  const SafetensorsReader reader(temp / "many.ckpt");
  reader.verify();
  REQUIRE(reader.names().size() == 300);
  for (const TensorEntry& entry : content.tensors)
    CHECK(reinterpret_cast<uintptr_t>(reader.tensor(entry.name).data) % 64 == 0);
}

TEST_CASE("what the format cannot hold is refused, and no file is made") {
  struct Row {
    const char* message;
    TensorEntry entry;
  };
  const char data[64] = {};
  const Row rows[] = {
      {"name", {"", "U8", {1}, data, 1}},
      {"name", {"__metadata__", "U8", {1}, data, 1}},
      {"name", {"__pad__.0", "U8", {1}, data, 1}},
      {"name", {"a\nb", "U8", {1}, data, 1}},
      {"name", {std::string(4097, 'x'), "U8", {1}, data, 1}},
      {"not UTF-8", {"\xff", "U8", {1}, data, 1}},
      {"unknown dtype 'f32'; known: BOOL", {"x", "f32", {1}, data, 4}},
      {"64 dimensions", {"x", "U8", std::vector<uint64_t>(65, 1), data, 1}},
      {"2^64", {"x", "U8", {1ull << 63, 4}, data, 0}},
      {"whole bytes", {"x", "F4", {3}, data, 1}},
      {"it has 5 bytes, its shape 4", {"x", "F32", {1}, data, 5}},
      {"no data", {"x", "F32", {1}, nullptr, 4}},
      {"two tensors have this name", {"same", "U8", {64}, data, 64}},
  };
  const TempFolder temp;
  for (const Row& row : rows) {
    CAPTURE(row.message);
    SafetensorsContent content;
    content.tensors = {{"same", "U8", {1}, data, 1}, row.entry};
    CHECK_THROWS_WITH(write_safetensors(temp / "a", content),
                      ContainsSubstring(row.message) && ContainsSubstring(temp / "a"));
  }
  CHECK(temp.entries() == 0);
}

TEST_CASE("texts that the format keeps for itself or that JSON cannot hold are refused") {
  const TempFolder temp;
  const auto refused = [&](const SafetensorsContent& content, const std::string& message) {
    CHECK_THROWS_WITH(write_safetensors(temp / "a", content), ContainsSubstring(message));
  };
  SafetensorsContent content;
  content.metadata = {{"levin.x", "1"}};
  refused(content, "'levin.x' is the format's own");
  content.metadata = {{"x", "\xff"}};
  refused(content, "not UTF-8");
  content.metadata = {};
  content.manifest = nlohmann::json::array();
  refused(content, "not a JSON object");
  content.manifest = {{"tensors", 1}};
  refused(content, "'tensors' is the format's own");
  content.manifest = {{"best", {{"score", INFINITY}}}};
  refused(content, "manifest/best/score is not a finite number");
  nlohmann::json deep = 1;
  for (int i = 0; i < 64; ++i) deep = {{"a", deep}};
  content.manifest = {{"a", deep}};
  refused(content, "deeper than 64");
  content.manifest = deep;
  CHECK_NOTHROW(write_safetensors(temp / "a", content));
  CHECK(SafetensorsReader(temp / "a").manifest() == deep);
}
