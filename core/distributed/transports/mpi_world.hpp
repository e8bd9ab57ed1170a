// MPI in this process: from the first group to the end of the last one.
#pragma once
#include <mpi.h>

#include <mutex>
#include <vector>

namespace levin::core {

// Throws std::runtime_error with what MPI says.
void check_mpi(int code, const char* call);

// MPI is called by one thread at a time: hold it around each call.
std::mutex& mpi_calls();

// A communicator of some of the processes that mpirun has started. Collective, of these.
class MpiCommunicator {
 public:
  // ranks: of the run. Throws std::runtime_error if mpirun did not start the run's processes.
  MpiCommunicator(const std::vector<int>& ranks, int rank);
  ~MpiCommunicator();
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

}  // namespace levin::core
