#include "runs/metric_history.hpp"

#include <cmath>
#include <cstring>
#include <fstream>

#include "catch.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using Numbers = std::vector<double>;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}
void append(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::app) << text;
}

template <class T>
std::string bytes_of(T value) {
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

std::string field(int number, const std::string& content) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(content.size()) + content;
}

std::string record(const std::string& event) { return bytes_of<uint64_t>(event.size()) + "crc4" + event + "crc4"; }

std::string scalar_event(int step, const std::string& tag, float value) {
  return std::string("\x10") + static_cast<char>(step) + field(5, field(1, field(1, tag) + "\x15" + bytes_of(value)));
}

}  // namespace

TEST_CASE("metrics are read from a csv, else from a jsonl file, else from event files") {
  const TempFolder temp;
  write(temp.path() / "events.out.tfevents.1", record(scalar_event(3, "loss", 2.5f)));
  auto metrics = read_metric_history(temp.path());
  CHECK(metrics.at("loss").values == Numbers{2.5});
  CHECK(metrics.at("loss").steps == Numbers{3});
  write(temp.path() / "metrics.jsonl",
        "{\"run\":\"a\",\"tags\":[]}\n"
        "{\"step\":1,\"time\":5.0,\"epoch\":0,\"metrics\":{\"loss\":\"NaN\",\"acc\":0.5}}\n{\"step\":2,");
  metrics = read_metric_history(temp.path());
  REQUIRE(metrics.size() == 2);
  CHECK(metrics.at("acc").values == Numbers{0.5});
  CHECK(metrics.at("acc").epochs == Numbers{0});
  CHECK(std::isnan(metrics.at("loss").values[0]));
  write(temp.path() / "metrics.csv", "epoch,step,\"a,b\"\n0,1,nan\n0,2,3\n1,x,9\n");
  metrics = read_metric_history(temp.path());
  REQUIRE(metrics.size() == 1);
  CHECK(metrics.at("a,b").name == "a,b");
  CHECK(metrics.at("a,b").steps == Numbers{1, 2});
}

TEST_CASE("a reader reads on where it was") {
  const TempFolder temp;
  const auto file = temp.path() / "metrics.csv";
  MetricReader reader(temp.path());
  CHECK_FALSE(reader.update());
  write(file, "epoch,step,loss\n0,1,3\n0,2,2");
  CHECK(reader.update());
  CHECK(reader.metrics().at("loss").values == Numbers{3});
  CHECK_FALSE(reader.update());
  append(file, ".5\n0,3,1\n");
  CHECK(reader.update());
  CHECK(reader.metrics().at("loss").values == Numbers{3, 2.5, 1});
}

TEST_CASE("a reader starts again where a file was cut or replaced") {
  const TempFolder temp;
  const auto file = temp.path() / "metrics.csv";
  write(file, "epoch,step,loss\n0,1,3\n0,2,2\n0,3,1\n");
  MetricReader reader(temp.path());
  reader.update();
  SECTION("cut, as by a resume") {
    write(file, "epoch,step,loss\n0,1,3\n");
    CHECK(reader.update());
    CHECK(reader.metrics().at("loss").values == Numbers{3});
  }
  SECTION("cut and grown again") {
    write(file, "epoch,step,loss\n0,1,3\n0,2,7\n0,3,8\n0,4,9\n");
    CHECK(reader.update());
    CHECK(reader.metrics().at("loss").values == Numbers{3, 7, 8, 9});
  }
  SECTION("replaced by one with another column") {
    write(temp.path() / "new", "acc,epoch,step,loss\n,0,1,3\n0.5,0,2,2\n,0,3,1\n");
    std::filesystem::rename(temp.path() / "new", file);
    CHECK(reader.update());
    CHECK(reader.metrics().at("acc").values == Numbers{0.5});
  }
  SECTION("gone") {
    std::filesystem::remove(file);
    CHECK(reader.update());
    CHECK(reader.metrics().empty());
  }
}

TEST_CASE("event files are read record by record, whatever is in them") {
  const std::string tensor =
      field(5, field(1, field(1, "t") + field(8, std::string("\x08\x01") + field(4, bytes_of(7.0f)))));
  const std::string file = record(
                               "\x1a\x0a"
                               "brain.Even") +
                           record(scalar_event(1, "a", 5)) + record("\x10\x02" + tensor) + record("\xff\xff\xff");
  std::vector<EventValue> found;
  CHECK(read_event_records(file, found) == file.size());
  REQUIRE(found.size() == 2);
  CHECK((found[0].tag == "a" && found[0].step == 1 && found[0].value == 5));
  CHECK((found[1].tag == "t" && found[1].step == 2 && found[1].value == 7));
  for (size_t n = 0; n < file.size(); ++n) CHECK(read_event_records(file.substr(0, n), found) <= n);
  CHECK(read_event_records(std::string(64, '\xff'), found) == 0);
}

TEST_CASE("pictures, texts and histograms of event files are found, and their bytes stay in the file") {
  const TempFolder temp;
  const std::string image = field(5, field(1, field(1, "pic") + field(4, field(4, "PNGBYTES"))));
  const std::string text = field(
      5, field(1, field(1, "note") + field(8, "\x08\x07" + field(8, "hello")) + field(9, field(1, field(1, "text")))));
  const std::string numbers = bytes_of(1.0) + bytes_of(2.0);
  const std::string histogram = field(5, field(1, field(1, "h") + field(5, field(6, numbers) + field(7, numbers))));
  const auto file = temp.path() / "events.out.tfevents.1";
  write(file, record("\x10\x03" + image) + record("\x10\x04" + text));
  EventReader reader(temp.path());
  CHECK(reader.update());
  append(file, record("\x09" + bytes_of(1000.0) + "\x10\x05" + histogram));
  CHECK(reader.update());
  CHECK_FALSE(reader.update());
  REQUIRE(reader.media().size() == 3);
  const auto bytes = [&](size_t n) {
    const EventMedia& one = reader.media()[n];
    return bytes_of_file(one.file, one.value.offset, one.value.length);
  };
  CHECK(bytes(0) == "PNGBYTES");
  CHECK(bytes(1) == "hello");
  CHECK(reader.media()[1].value.kind == EventKind::text);
  CHECK(reader.media()[2].value.counts == Numbers{1, 2});
  CHECK(reader.times() == std::map<double, double>{{5, 1000}});
  write(file, record(scalar_event(1, "a", 5)) + record(scalar_event(2, "a", 6)) + std::string(400, '\0'));
  CHECK(reader.update());
  CHECK(reader.media().empty());
  CHECK(reader.scalars().size() == 2);
}
