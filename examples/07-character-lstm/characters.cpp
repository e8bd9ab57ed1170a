// Text as rows of characters. A row is a stretch of the text, and its target is the same stretch one character later.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <levin/levin.hpp>

namespace {

namespace fs = std::filesystem;
using levin::Split;

class Characters : public levin::DataModule {
 public:
  static constexpr bool concurrent = true;
  static constexpr levin_option options[] = {
      levin::path("file", "\"/usr/share/common-licenses\"", "a text file, or a folder of them"),
      levin::integer("length", "512", "characters in a row", 2, 1e6),
      levin::number("val_fraction", "0.1", "part of the rows kept for validation", 0, 0.9)};

  explicit Characters(const levin::Args& o)
      : file_(o.text("file")), length_(o.integer("length")), val_fraction_(o.number("val_fraction")) {}

  void setup() {
    if (!text_.empty()) return;
    for (const fs::path& file : files()) {
      std::ifstream in(file, std::ios::binary);
      text_.append(std::istreambuf_iterator<char>(in), {});
    }
    rows_ = (static_cast<int64_t>(text_.size()) - 1) / length_;
    if (rows_ < 2)
      throw levin::Error(LEVIN_E_INVALID, file_ + " has " + std::to_string(text_.size()) +
                                              " characters: too few for two rows of " + std::to_string(length_));
    std::string known = text_;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    alphabet_ = known;
    for (char& c : text_)
      c = static_cast<char>(alphabet_.find(c));  // from here on the text is indices into the alphabet
  }

  std::vector<levin::Field> fields() const {
    levin::Field target = levin::target("next", static_cast<int64_t>(alphabet_.size()));
    target.shape = {length_};
    for (const char c : alphabet_) target.class_names.push_back(std::string(1, c));
    return {levin::input("text", levin::int64, {length_}), target};
  }
  int64_t rows(Split split) const {
    if (split == Split::train) return rows_ - val_rows();
    return split == Split::val || split == Split::test ? val_rows() : 0;
  }
  // Every n-th row is for validation, so that it covers all parts of the text.
  void get(Split split, int64_t index, levin::Row& row) const {
    const int64_t every = rows_ / std::max<int64_t>(val_rows(), 1);
    int64_t at = index * every;
    if (split == Split::train)
      at = index < val_rows() * (every - 1) ? index + index / (every - 1) + 1 : index + val_rows();
    const char* from = text_.data() + at * length_;
    for (int64_t i = 0; i < length_; ++i) {
      row.data<int64_t>(0)[i] = static_cast<unsigned char>(from[i]);
      row.data<int64_t>(1)[i] = static_cast<unsigned char>(from[i + 1]);
    }
  }

 private:
  std::vector<fs::path> files() const {
    if (!fs::is_directory(file_)) {
      if (fs::is_regular_file(file_)) return {file_};
      throw levin::Error(LEVIN_E_IO, "there is no file or folder " + file_ + "; give one with --data.file");
    }
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(file_))
      if (entry.is_regular_file() && !entry.is_symlink()) out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
  }
  int64_t val_rows() const { return static_cast<int64_t>(static_cast<double>(rows_) * val_fraction_); }

  std::string file_, text_, alphabet_;
  int64_t length_, rows_ = 0;
  double val_fraction_;
};

}  // namespace

LEVIN_PLUGIN("levin.examples.characters", "1.0.0", "Apache-2.0",
             levin::data_module<Characters>("characters", "Stretches of a text, character by character"));
