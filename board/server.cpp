#include "board/server.hpp"

#include <httplib.h>
#include <sys/random.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

// The files of page/ and those of the charting library, made by CMake.
extern const unsigned char page_html_bytes[], board_css_bytes[], board_js_bytes[], parts_js_bytes[], rows_js_bytes[],
    dygraph_js_bytes[], dygraph_css_bytes[];
extern const size_t page_html_size, board_css_size, board_js_size, parts_js_size, rows_js_size, dygraph_js_size,
    dygraph_css_size;

namespace levin::core::board {
namespace {

struct Asset {
  const char* path;
  const unsigned char* bytes;
  const size_t& size;
  const char* type;
};
const Asset assets[] = {{"/", page_html_bytes, page_html_size, "text/html; charset=utf-8"},
                        {"/board.css", board_css_bytes, board_css_size, "text/css"},
                        {"/board.js", board_js_bytes, board_js_size, "text/javascript"},
                        {"/parts.js", parts_js_bytes, parts_js_size, "text/javascript"},
                        {"/rows.js", rows_js_bytes, rows_js_size, "text/javascript"},
                        {"/dygraph.js", dygraph_js_bytes, dygraph_js_size, "text/javascript"},
                        {"/dygraph.css", dygraph_css_bytes, dygraph_css_size, "text/css"}};

std::string new_token() {
  std::string bytes(16, '\0');
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorCode::operation_failed, "host board: the system gives no random numbers");
  return hex_digits(bytes);
}

// Takes the same time for every wrong token.
bool equal(const std::string& a, const std::string& b) {
  unsigned char difference = a.size() != b.size();
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string cookie_in(const httplib::Request& request, const std::string& name) {
  for (const std::string& part : split(request.get_header_value("Cookie"), ';'))
    if (const std::string one = trim(part); starts_with(one, name + "=")) return one.substr(name.size() + 1);
  return "";
}

std::vector<std::string> runs_in(const httplib::Request& request) {
  std::vector<std::string> out;
  for (size_t i = 0; i < request.get_param_value_count("run"); ++i) out.push_back(request.get_param_value("run", i));
  return out;
}

size_t number_in(const httplib::Request& request, const char* name, size_t otherwise) {
  const std::string text = request.get_param_value(name);
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  return text.empty() || *end != '\0' ? otherwise : static_cast<size_t>(value);
}

// By their first bytes. A browser runs nothing in these.
const char* type_of_media(const std::string& bytes) {
  if (starts_with(bytes, "\x89PNG")) return "image/png";
  if (starts_with(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (starts_with(bytes, "GIF8")) return "image/gif";
  if (starts_with(bytes, "RIFF")) return "audio/wav";
  return "application/octet-stream";
}

void send(httplib::Response& response, const nlohmann::json& value) {
  response.set_content(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "application/json");
}

}  // namespace

struct Server::Http {
  httplib::Server server;
};

Server::Server(RunStore& store, int port) : http_(std::make_unique<Http>()), token_(new_token()) {
  httplib::Server& server = http_->server;
  // The library's own choice, SO_REUSEPORT, would let two programs share a port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  port_ = port == 0 ? server.bind_to_any_port("127.0.0.1") : (server.bind_to_port("127.0.0.1", port) ? port : -1);
  if (port_ <= 0)
    throw Error(ErrorCode::port_unusable,
                "host board: port " + std::to_string(port) + " is taken; --port 0 takes a free one");
  const std::string place = "127.0.0.1:" + std::to_string(port_), cookie = "levin_board_" + std::to_string(port_);
  address_ = "http://" + place + "/?token=" + token_;

  server.set_default_headers(
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([this, place, cookie](const httplib::Request& request, httplib::Response& response) {
    const std::string host = request.get_header_value("Host");
    const bool named = host == place || host == "localhost:" + std::to_string(port_);
    const bool by_address = equal(request.get_param_value("token"), token_);
    if (named && (by_address || equal(cookie_in(request, cookie), token_))) {
      if (by_address) response.set_header("Set-Cookie", cookie + "=" + token_ + "; HttpOnly; SameSite=Strict; Path=/");
      return httplib::Server::HandlerResponse::Unhandled;
    }
    response.status = 403;
    response.set_content("This address needs the token that host board has printed.\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  for (const Asset& asset : assets)
    server.Get(asset.path, [&asset](const httplib::Request&, httplib::Response& response) {
      response.set_content(reinterpret_cast<const char*>(asset.bytes), asset.size, asset.type);
    });
  server.Get("/api/runs",
             [&store](const httplib::Request&, httplib::Response& response) { send(response, store.runs()); });
  server.Get("/api/metrics", [&store](const httplib::Request& request, httplib::Response& response) {
    const size_t points = std::clamp<size_t>(number_in(request, "points", 1200), 10, 20000);
    send(response, store.metrics(runs_in(request), points));
  });
  server.Get("/api/media", [&store](const httplib::Request& request, httplib::Response& response) {
    send(response, store.media(runs_in(request)));
  });
  server.Get("/media", [&store](const httplib::Request& request, httplib::Response& response) {
    const std::string bytes =
        store.media_bytes(request.get_param_value("run"), number_in(request, "place", ~size_t{0}));
    if (bytes.empty()) response.status = 404;
    response.set_content(bytes, type_of_media(bytes));
  });
  server.Get("/api/run", [&store](const httplib::Request& request, httplib::Response& response) {
    nlohmann::json found = store.details(request.get_param_value("run"));
    if (found.is_null()) response.status = 404;
    send(response, found);
  });
  server.Get("/api/verify", [&store](const httplib::Request& request, httplib::Response& response) {
    nlohmann::json found = store.verified(request.get_param_value("run"), request.get_param_value("file"));
    if (found.is_null()) response.status = 404;
    send(response, found);
  });
}

Server::~Server() = default;

void Server::run() { http_->server.listen_after_bind(); }
void Server::stop() { http_->server.stop(); }

}  // namespace levin::core::board
