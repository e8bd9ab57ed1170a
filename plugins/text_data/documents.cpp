#include "documents.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "../common/csv_columns.hpp"
#include "../common/memory_limit.hpp"
#include "../common/not_opened.hpp"
#include "../common/utf8.hpp"
#include "folders.hpp"

namespace text {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) { throw levin::Error(LEVIN_E_IO, what); }

// Reads a text file. Returns false if it is no text.
bool read_text(const fs::path& path, Document& out, Damage& damage) {
  out.place = path.string();
  out.text = read_file(out.place);
  damage.count(1);
  const std::string problem = common::encoding_problem(out.text, out.place);
  if (!problem.empty()) return damage.add(problem), false;
  if (out.text.compare(0, common::byte_order_mark.size(), common::byte_order_mark) == 0)
    out.text.erase(0, common::byte_order_mark.size());
  return true;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

std::vector<Document> read_folders(const std::string& path, Damage& damage) {
  const std::vector<fs::path> folders = folders_in(path);
  if (folders.empty()) fail(path + " has no folders: put the text files of each class into a folder of its own");
  std::vector<Document> out;
  for (const fs::path& folder : folders) {
    const size_t before = out.size();
    for (const fs::path& file : files_below(folder)) {
      Document document;
      if (!read_text(file, document, damage)) continue;
      document.label = folder.filename().string();
      document.has_label = true;
      if (is_blank(document.text))
        damage.add(document.place + ": the file is empty");
      else
        out.push_back(std::move(document));
    }
    if (out.size() == before) fail("the class folder " + folder.string() + " has no text file that can be used");
  }
  return out;
}

std::vector<Document> read_table(const std::string& path, const Options& options, bool needs_labels, Damage& damage) {
  const common::CsvFile file = common::read_csv(path, options.delimiter, !damage.stops());
  const std::vector<std::string> names = common::column_names(file, true);
  const size_t text = common::find_column(names, options.text_column, "text_column", path);
  const bool labelled = needs_labels || std::find(names.begin(), names.end(), options.label_column) != names.end();
  const size_t label = labelled ? common::find_column(names, options.label_column, "label_column", path) : 0;
  const size_t group = options.group.empty() ? 0 : common::find_column(names, options.group, "group", path);
  if (!file.damaged.empty() && path == options.file)
    options.splitting.refuse_lists("the rows have no sure numbers, because " + file.damaged[0]);
  damage.count(file.records() - 1 + file.damaged.size());
  for (const std::string& reason : file.damaged) damage.add(reason);
  std::vector<Document> out;
  for (size_t r = 1; r < file.records(); ++r) {
    Document row{std::string(file.cell(r, text)), file.place(r), "", "", labelled, static_cast<int64_t>(r) - 1};
    if (labelled) row.label = std::string(file.cell(r, label));
    if (!options.group.empty()) row.group = std::string(file.cell(r, group));
    if (is_blank(row.text))
      damage.add(row.place + ": the text is empty");
    else if (labelled && needs_labels && is_blank(row.label))
      damage.add(row.place + ": the class is empty");
    else
      out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (!error) common::check_memory(size, path);
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) common::fail_to_open("cannot open " + path, errno);
  std::string text;
  for (size_t got = 1, n = 0; got > 0; n += got) {
    text.resize(n + std::max<size_t>(size_t{1} << 20, error ? 0 : size - std::min<uint64_t>(size, n)));
    got = std::fread(&text[n], 1, text.size() - n, file.get());
    if (got == 0) text.resize(n);
  }
  if (std::ferror(file.get())) fail("cannot read " + path + ": " + std::strerror(errno));
  return text;
}

std::vector<Document> read_texts(const std::string& path, Damage& damage) {
  std::error_code error;
  std::vector<fs::path> files = {path};
  if (fs::is_directory(path, error)) files = files_below(path);
  std::vector<Document> out;
  for (const fs::path& file : files) {
    Document document;
    if (read_text(file, document, damage)) out.push_back(std::move(document));
  }
  if (out.empty()) fail(path + " has no text file that can be used");
  return out;
}

std::vector<Document> read_labelled(const std::string& path, const Options& options, bool needs_labels,
                                    Damage& damage) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  if (folder && !options.group.empty()) fail("--data.group names a column of a CSV file, and " + path + " is a folder");
  std::vector<Document> out = folder ? read_folders(path, damage) : read_table(path, options, needs_labels, damage);
  if (out.empty()) fail(path + " has no rows that can be used");
  return out;
}

}  // namespace text
