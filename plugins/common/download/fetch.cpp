#include "download.hpp"

#ifdef LEVIN_WITH_CURL
#include <curl/curl.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

namespace download {
namespace {

constexpr long connect_seconds = 20, silent_seconds = 30;
constexpr auto progress_period = std::chrono::seconds(10);

// A transfer in progress.
struct Transfer {
  CURL* curl;
  const std::string& path;  // of the file that is written
  int fd;
  int64_t begin;              // bytes that are in the file already
  std::string tag_path;       // of the file with their version
  std::string wanted_tag;     // their version
  std::string tag;            // the version that comes
  int64_t answered_from = 0;  // offset in the answer's Content-Range
  bool started = false;
  std::string problem;
  bool is_final = false;  // another try is useless
  const Address& address;
  const Progress& progress;
  std::chrono::steady_clock::time_point told = std::chrono::steady_clock::now();
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
  if (status == 206 && transfer.begin == 0) {
    transfer.problem = "the server answers with a part of the file";
    return false;
  }
  if (goes_on && (transfer.answered_from != transfer.begin || transfer.tag != transfer.wanted_tag)) {
    transfer.problem = "the server answers with another part of the file";
    unlink(transfer.tag_path.c_str());  // the next try begins anew
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
      transfer.problem = "cannot write " + transfer.path + ": " + std::strerror(errno);
      transfer.is_final = true;
      return 0;
    }
    done += static_cast<size_t>(written);
  }
  return size * n;
}

// Says how far the transfer is. Returning another number than 0 ends it.
int show_progress(void* of, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  Transfer& transfer = *static_cast<Transfer*>(of);
  if (transfer.progress.ends()) return 1;
  const auto now = std::chrono::steady_clock::now();
  if (now - transfer.told < progress_period) return 0;
  transfer.told = now;
  const auto begin = static_cast<uint64_t>(transfer.begin);
  transfer.progress.tell(transfer.address.shown() + ": " + megabytes(begin + static_cast<uint64_t>(done)) +
                         (total > 0 ? " of " + megabytes(begin + static_cast<uint64_t>(total)) : ""));
  return 0;
}

void set_options(Transfer& transfer, curl_slist* headers, char* problem) {
  CURL* const curl = transfer.curl;
  curl_easy_setopt(curl, CURLOPT_URL, transfer.address.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &show_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);  // the signals are those of the run
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, connect_seconds);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, silent_seconds);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, transfer.address.url[4] == ':' ? "http,https" : "https");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "levin");
}

// Returns true for failures that come again.
bool is_final(CURLcode code, long status) {
  if (status >= 400 && status < 500) return status != 408 && status != 416 && status != 429;
  return code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_TOO_MANY_REDIRECTS ||
         code == CURLE_PEER_FAILED_VERIFICATION;
}

long status_of(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

Fetched transfer_all(Transfer& transfer) {
  const std::string range = "Range: bytes=" + std::to_string(transfer.begin) + "-";
  curl_slist* list = nullptr;
  if (transfer.begin > 0) {
    list = curl_slist_append(list, range.c_str());
    list = curl_slist_append(list, ("If-Range: " + transfer.wanted_tag).c_str());
  }
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list, &curl_slist_free_all);
  char problem[CURL_ERROR_SIZE] = "";
  set_options(transfer, headers.get(), problem);
  const CURLcode code = curl_easy_perform(transfer.curl);
  if (code == CURLE_OK && !transfer.started && !start(transfer)) return {"cannot write", true};  // a file without bytes
  if (code == CURLE_OK) return {};
  if (!transfer.problem.empty()) return {transfer.problem, transfer.is_final};
  return {*problem ? problem : curl_easy_strerror(code), is_final(code, status_of(transfer.curl))};
}

std::string line_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

Fetched fetch(const Address& address, const std::string& part, const std::string& tag, const Progress& progress) {
  static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(initialized == CURLE_OK ? curl_easy_init() : nullptr,
                                                                 &curl_easy_cleanup);
  if (!curl) return {"libcurl cannot be initialized", true};
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return {"cannot write " + part + ": " + std::strerror(errno), true};
  Transfer transfer{curl.get(), part, fd, 0, tag, line_in(tag), "", 0, false, "", false, address, progress};
  if (!transfer.wanted_tag.empty()) transfer.begin = lseek(fd, 0, SEEK_END);
  Fetched fetched = transfer_all(transfer);
  const bool is_of_another = status_of(curl.get()) == 416;  // what is there is longer than the file
  if (is_of_another && ftruncate(fd, 0) != 0) fetched = {"cannot write", true};
  if (fetched.problem.empty() && fsync(fd) != 0) fetched = {std::string("cannot write: ") + std::strerror(errno), true};
  close(fd);
  if (!fetched.problem.empty() && progress.ends()) throw Ended{};
  return fetched;
}

}  // namespace download

#else
namespace download {

Fetched fetch(const Address&, const std::string&, const std::string&, const Progress&) {
  return {"this was built without libcurl (Debian: libcurl4-openssl-dev)", true};
}

}  // namespace download
#endif
