// Reads event files, including their checksums. For tests.
#pragma once
#include <cstring>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "loggers/tensorboard/record.hpp"

struct EventValue {
  std::string tag, plugin, content;
  float simple = 0;
  bool has_simple = false;
  std::string text, png, audio;
  std::vector<double> bucket_limits, buckets;
};

struct ReadEvent {
  double wall_time = 0;
  int64_t step = 0;
  std::string file_version;
  bool restart = false;
  std::vector<EventValue> values;
};

// Returns the data of each record. Throws if a checksum is wrong or the file is truncated.
inline std::vector<std::string> read_records(const std::string& file) {
  const auto number = [&](size_t at, size_t n) {
    uint64_t value = 0;
    if (at + n > file.size()) throw std::runtime_error("the file ends within a record");
    for (size_t i = 0; i < n; ++i) value |= uint64_t{static_cast<unsigned char>(file[at + i])} << (8 * i);
    return value;
  };
  std::vector<std::string> out;
  for (size_t at = 0; at < file.size();) {
    const size_t size = number(at, 8);
    if (levin::tensorboard::masked_crc(file.substr(at, 8)) != number(at + 8, 4))
      throw std::runtime_error("length's crc");
    const std::string data = file.substr(at + 12, size);
    if (levin::tensorboard::masked_crc(data) != number(at + 12 + size, 4)) throw std::runtime_error("data's crc");
    out.push_back(data);
    at += size + 16;
  }
  return out;
}

inline EventValue read_value(protozero::pbf_reader reader) {
  EventValue v;
  while (reader.next()) {
    switch (reader.tag()) {
      case 1:
        v.tag = reader.get_string();
        break;
      case 2:
        v.simple = reader.get_float(), v.has_simple = true;
        break;
      case 4:
        for (protozero::pbf_reader image = reader.get_message(); image.next();)
          image.tag() == 4 ? void(v.png = image.get_bytes()) : image.skip();
        break;
      case 5:
        for (protozero::pbf_reader histogram = reader.get_message(); histogram.next();) {
          if (histogram.tag() < 6) {
            histogram.skip();
            continue;
          }
          auto& to = histogram.tag() == 6 ? v.bucket_limits : v.buckets;
          for (const double d : histogram.get_packed_double()) to.push_back(d);
        }
        break;
      case 6:
        for (protozero::pbf_reader sound = reader.get_message(); sound.next();)
          sound.tag() == 4 ? void(v.audio = sound.get_bytes()) : sound.skip();
        break;
      case 8:
        for (protozero::pbf_reader tensor = reader.get_message(); tensor.next();)
          tensor.tag() == 8 ? void(v.text = tensor.get_bytes()) : tensor.skip();
        break;
      case 9:
        for (protozero::pbf_reader metadata = reader.get_message(); metadata.next();)
          for (protozero::pbf_reader plugin = metadata.get_message(); plugin.next();) {
            std::string& to = plugin.tag() == 1 ? v.plugin : v.content;
            to = plugin.get_bytes();
          }
        break;
      default:
        reader.skip();
    }
  }
  return v;
}

inline ReadEvent read_event(const std::string& data) {
  ReadEvent e;
  for (protozero::pbf_reader reader(data); reader.next();) {
    switch (reader.tag()) {
      case 1:
        e.wall_time = reader.get_double();
        break;
      case 2:
        e.step = reader.get_int64();
        break;
      case 3:
        e.file_version = reader.get_string();
        break;
      case 5:
        for (protozero::pbf_reader summary = reader.get_message(); summary.next();)
          e.values.push_back(read_value(summary.get_message()));
        break;
      case 7:
        for (protozero::pbf_reader log = reader.get_message(); log.next();) e.restart = log.get_enum() == 1;
        break;
      default:
        reader.skip();
    }
  }
  return e;
}
