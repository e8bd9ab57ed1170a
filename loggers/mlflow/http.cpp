#include "http.hpp"

#include <curl/curl.h>

#include <strings.h>
#include <cstdio>
#include <cstdlib>

namespace levin::mlflow {
namespace {

constexpr size_t most_of_body = 1 << 20, most_of_headers = 64 << 10;
constexpr double connect_seconds = 5, request_seconds = 20, slowest_upload = 1e6;  // bytes a second

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct Received {
  Answer answer;
  size_t headers = 0;
};

// Returning another number than the number of bytes ends the transfer.
size_t take_body(char* data, size_t size, size_t n, void* to) {
  std::string& body = static_cast<Received*>(to)->answer.body;
  if (body.size() + size * n > most_of_body) return 0;
  body.append(data, size * n);
  return size * n;
}
size_t take_header(char* data, size_t size, size_t n, void* to) {
  Received& received = *static_cast<Received*>(to);
  received.headers += size * n;
  if (received.headers > most_of_headers) return 0;
  const std::string line(data, size * n);
  if (strncasecmp(line.c_str(), "retry-after:", 12) == 0)
    received.answer.retry_after = std::strtod(line.c_str() + 12, nullptr);
  return size * n;
}
size_t give_file(char* to, size_t size, size_t n, void* file) {
  return std::fread(to, size, n, static_cast<FILE*>(file));
}

int is_stopped(void* stopped, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::atomic<bool>*>(stopped)->load() ? 1 : 0;
}

}  // namespace

Access access_of_environment() {
  const std::string insecure = environment("MLFLOW_TRACKING_INSECURE_TLS");
  return {environment("MLFLOW_TRACKING_TOKEN"), environment("MLFLOW_TRACKING_USERNAME"),
          environment("MLFLOW_TRACKING_PASSWORD"), insecure == "true" || insecure == "1" || insecure == "True",
          environment("MLFLOW_TRACKING_SERVER_CERT_PATH")};
}

struct Http::Handle {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;
  const std::atomic<bool>* stopped = nullptr;
};

Http::Http(std::string address, Access access, const std::atomic<bool>& stopped)
    : address_(std::move(address)), access_(std::move(access)), handle_(std::make_unique<Handle>()) {
  static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
  handle_->curl = initialized == CURLE_OK ? curl_easy_init() : nullptr;
  handle_->headers = curl_slist_append(nullptr, "Content-Type: application/json");
  handle_->headers = curl_slist_append(handle_->headers, "Expect:");  // no question before a body
  if (!access_.token.empty())
    handle_->headers = curl_slist_append(handle_->headers, ("Authorization: Bearer " + access_.token).c_str());
  handle_->stopped = &stopped;
}

Http::~Http() {
  if (handle_->curl) curl_easy_cleanup(handle_->curl);
  curl_slist_free_all(handle_->headers);
}

Answer Http::perform(const std::string& path, double seconds) {
  CURL* const curl = handle_->curl;
  Received received;
  char problem[CURL_ERROR_SIZE] = "";
  const std::string url = address_ + path;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, handle_->headers);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &received);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &received);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &is_stopped);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, handle_->stopped);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);    // the signals are those of the run
  curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L);  // does not wait for a name server at the end
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(1000 * connect_seconds));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(1000 * seconds));
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);  // would send the token to another server
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "levin");
  if (!access_.user.empty()) {
    curl_easy_setopt(curl, CURLOPT_USERNAME, access_.user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, access_.password.c_str());
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
  }
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, access_.any_certificate ? 0L : 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, access_.any_certificate ? 0L : 2L);
  if (!access_.certificates.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, access_.certificates.c_str());
  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    received.answer.status = static_cast<int>(status);
  } else {
    received.answer.problem = *problem ? problem : curl_easy_strerror(code);
  }
  curl_easy_reset(curl);  // keeps the connection
  return std::move(received.answer);
}

Answer Http::get(const std::string& path) {
  if (!handle_->curl) return {0, "", "libcurl cannot be initialized", 0};
  return perform(path, request_seconds);
}

Answer Http::post(const std::string& path, const std::string& json) {
  if (!handle_->curl) return {0, "", "libcurl cannot be initialized", 0};
  curl_easy_setopt(handle_->curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(json.size()));
  curl_easy_setopt(handle_->curl, CURLOPT_POSTFIELDS, json.c_str());
  return perform(path, request_seconds);
}

Answer Http::put_file(const std::string& path, const std::filesystem::path& file) {
  if (!handle_->curl) return {0, "", "libcurl cannot be initialized", 0};
  const std::unique_ptr<FILE, int (*)(FILE*)> in(std::fopen(file.c_str(), "rbe"), &std::fclose);
  if (!in) return {404, "", "cannot read " + file.string(), 0};
  std::error_code failed;
  const auto bytes = static_cast<curl_off_t>(std::filesystem::file_size(file, failed));
  curl_easy_setopt(handle_->curl, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(handle_->curl, CURLOPT_READFUNCTION, &give_file);
  curl_easy_setopt(handle_->curl, CURLOPT_READDATA, in.get());
  curl_easy_setopt(handle_->curl, CURLOPT_INFILESIZE_LARGE, bytes);
  return perform(path, request_seconds + static_cast<double>(bytes) / slowest_upload);
}

std::string Http::escaped(const std::string& text) const {
  char* const out = curl_easy_escape(handle_->curl, text.c_str(), static_cast<int>(text.size()));
  const std::string copy = out ? out : "";
  curl_free(out);
  return copy;
}

}  // namespace levin::mlflow
