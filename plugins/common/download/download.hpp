// Files from http and https addresses, kept in a folder.
#pragma once
#include <functional>
#include <string>

#include "address.hpp"
#include "progress.hpp"

namespace download {

// Returns the folder for downloads: $XDG_CACHE_HOME/levin, or ~/.cache/levin. Throws levin::Error if there is no HOME.
std::string download_folder();

// Downloads the file at this address to `path`, unless it is there. Of several processes one downloads, the others
// wait. A transfer that breaks off is tried again, and goes on where it broke off if the server allows it, also in the
// next run. problem: returns what is wrong with a file that was downloaded, "" = nothing; a wrong one is removed.
// Throws levin::Error if the file cannot be downloaded or is wrong, and, if LEVIN_OFFLINE is set, if it is not there;
// and Ended.
void download(const Address& address, const std::string& path, const Progress& progress,
              const std::function<std::string(const std::string&)>& problem);

// The result of one transfer.
struct Fetched {
  std::string problem;    // "" = all bytes are there
  bool is_final = false;  // another try is useless
};
// Downloads the file at this address to `part`, once; bytes that are there already are not transferred again. `tag`:
// the file that says which version of the file they are of. Throws Ended.
Fetched fetch(const Address& address, const std::string& part, const std::string& tag, const Progress& progress);

}  // namespace download
