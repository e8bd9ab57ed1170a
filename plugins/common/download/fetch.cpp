#include "download.hpp"

#ifdef LEVIN_WITH_CURL
#include <curl/curl.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

namespace common {
namespace {

constexpr long connect_seconds = 20, silent_seconds = 30;

// A transfer in progress.
struct Transfer {
  CURL* curl;
  int fd;
  int64_t begin;              // bytes that are in the file already
  std::string tag_path;       // of the file with their version
  std::string wanted_tag;     // their version
  std::string tag;            // the version that comes
  int64_t answered_from = 0;  // offset in the answer's Content-Range
  bool started = false;
  std::string problem;
};

// Returns the text behind "NAME:" in a header; "" = it is another header.
std::string value_in(const std::string& line, const char* name) {
  const size_t n = std::strlen(name);
  if (strncasecmp(line.c_str(), name, n) != 0) return "";
  const size_t first = line.find_first_not_of(" \t", n), last = line.find_last_not_of(" \t\r\n");
  return first == line.npos || last < first ? "" : line.substr(first, last - first + 1);
}

size_t take_header(char* data, size_t size, size_t n, void* to) {
  Transfer& transfer = *static_cast<Transfer*>(to);
  const std::string line(data, size * n);
  if (line.rfind("HTTP/", 0) == 0) transfer.tag.clear(), transfer.answered_from = 0;
  const std::string tag = value_in(line, "etag:"), range = value_in(line, "content-range:");
  if (!tag.empty() && tag.rfind("W/", 0) != 0) transfer.tag = tag;  // weak ones say nothing about bytes
  if (range.rfind("bytes ", 0) == 0) transfer.answered_from = std::strtoll(range.c_str() + 6, nullptr, 10);
  return size * n;
}

// Decides where the first bytes go. Returns false if they belong to no place.
bool start(Transfer& transfer) {
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  const bool goes_on = status == 206 && transfer.begin > 0;
  if (goes_on && (transfer.answered_from != transfer.begin || transfer.tag != transfer.wanted_tag)) {
    transfer.problem = "the server answers with another part of the file";
    return false;
  }
  transfer.started = true;
  if (goes_on) return lseek(transfer.fd, transfer.begin, SEEK_SET) == transfer.begin;
  // In this order, so that a kill leaves no version beside bytes of another one.
  unlink(transfer.tag_path.c_str());
  if (ftruncate(transfer.fd, 0) != 0 || lseek(transfer.fd, 0, SEEK_SET) != 0) return false;
  std::ofstream(transfer.tag_path, std::ios::binary) << transfer.tag;
  return true;
}

// Returning another number than the number of bytes ends the transfer.
size_t take_body(char* data, size_t size, size_t n, void* to) {
  Transfer& transfer = *static_cast<Transfer*>(to);
  if (!transfer.started && !start(transfer)) return 0;
  for (size_t done = 0; done < size * n;) {
    const ssize_t written = write(transfer.fd, data + done, size * n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      transfer.problem = std::string("cannot write: ") + std::strerror(errno);
      return 0;
    }
    done += static_cast<size_t>(written);
  }
  return size * n;
}

void set_options(Transfer& transfer, const std::string& url, curl_slist* headers, char* problem) {
  CURL* const curl = transfer.curl;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);  // the signals are those of the run
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, connect_seconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, silent_seconds);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "levin");
}

std::string transfer_all(Transfer& transfer, const std::string& url, bool& final) {
  const std::string range = "Range: bytes=" + std::to_string(transfer.begin) + "-";
  curl_slist* list = nullptr;
  if (transfer.begin > 0) {
    list = curl_slist_append(list, range.c_str());
    list = curl_slist_append(list, ("If-Range: " + transfer.wanted_tag).c_str());
  }
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list, &curl_slist_free_all);
  char problem[CURL_ERROR_SIZE] = "";
  set_options(transfer, url, headers.get(), problem);
  const CURLcode code = curl_easy_perform(transfer.curl);
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (code == CURLE_OK && !transfer.started && !start(transfer)) return "cannot write";  // a file without bytes
  if (code == CURLE_OK) return "";
  final = status >= 400 && status < 500 && status != 408 && status != 416 && status != 429;
  final =
      final || code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_TOO_MANY_REDIRECTS;
  if (!transfer.problem.empty()) return transfer.problem;
  return *problem ? problem : curl_easy_strerror(code);
}

std::string line_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

std::string fetch(const std::string& url, const std::string& part, const std::string& tag, bool& final) {
  static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(initialized == CURLE_OK ? curl_easy_init() : nullptr,
                                                                 &curl_easy_cleanup);
  if (!curl) return "libcurl cannot be initialized";
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    final = true;
    return "cannot write " + part + ": " + std::strerror(errno);
  }
  Transfer transfer{curl.get(), fd, 0, tag, line_in(tag), "", 0, false, ""};
  if (!transfer.wanted_tag.empty()) transfer.begin = lseek(fd, 0, SEEK_END);
  std::string problem = transfer_all(transfer, url, final);
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status == 416 && ftruncate(fd, 0) != 0) problem = "cannot write";  // what is there is of another file
  if (problem.empty() && fsync(fd) != 0) problem = std::string("cannot write: ") + std::strerror(errno);
  close(fd);
  return problem;
}

}  // namespace common

#else
namespace common {

std::string fetch(const std::string&, const std::string&, const std::string&, bool& final) {
  final = true;
  return "the plugin was built without libcurl (Debian: libcurl4-openssl-dev)";
}

}  // namespace common
#endif
