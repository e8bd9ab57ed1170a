// Files from http and https addresses, kept in a folder.
#pragma once
#include <functional>
#include <string>

namespace common {

// Returns true for http:// and https:// addresses.
bool is_url(const std::string& name);

// Returns the folder for downloads: $XDG_CACHE_HOME/levin, or ~/.cache/levin. Throws levin::Error if there is no HOME.
std::string download_folder();

// Returns the path in the folder of the file at this address (checksum.hpp), which is downloaded unless it is there. Of
// several processes with the same folder one downloads, the others wait. A transfer that breaks off is tried again, and
// goes on where it broke off if the server allows it, also in the next run. tell: gets messages. problem: returns what
// is wrong with a file that was downloaded, "" = nothing; a wrong one is removed. Throws levin::Error if the file
// cannot be downloaded or is wrong, and, if LEVIN_OFFLINE is set, if it is not in the folder.
std::string downloaded(const std::string& text, const std::string& folder,
                       const std::function<void(const std::string&)>& tell,
                       const std::function<std::string(const std::string&)>& problem);

// Downloads the file at this address to `part`, once; bytes that are there already are not transferred again. `tag`:
// the file that says which version of the file they are of. Returns "" or the reason for a failure, and sets `final` if
// another try is useless.
std::string fetch(const std::string& url, const std::string& part, const std::string& tag, bool& final);

}  // namespace common
