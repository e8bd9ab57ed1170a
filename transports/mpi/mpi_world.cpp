#include "transports/mpi/mpi_world.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace levin::core {
namespace {

int groups = 0;

// Without its launcher, MPI starts as a run of one process or aborts the process.
void check_launcher() {
  for (const char* name : {"PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK"})
    if (std::getenv(name)) return;
  throw std::runtime_error("the processes were not started by an MPI: start them by mpirun");
}

void begin() {
  int began = 0, ended = 0, threads = 0;
  MPI_Finalized(&ended);
  if (ended) throw std::runtime_error("MPI has ended in this process");
  MPI_Initialized(&began);
  if (!began) check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads), "MPI_Init_thread");
  MPI_Query_thread(&threads);
  if (threads < MPI_THREAD_SERIALIZED) throw std::runtime_error("this MPI serves the first thread alone");
}

void check_ranks(const std::vector<int>& ranks, int rank) {
  int own = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int expected = ranks[static_cast<size_t>(rank)];
  for (const int other : ranks)
    if (other >= size || own != expected)
      throw std::runtime_error("MPI says that this is process " + std::to_string(own) + " of " + std::to_string(size) +
                               ", and the run that it is rank " + std::to_string(expected) +
                               ": use the mpirun of the MPI with which Levin was built");
}

}  // namespace

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int size = 0;
  MPI_Error_string(code, text, &size);
  throw std::runtime_error(std::string(call) + ": " + text);
}

std::mutex& mpi_calls() {
  static std::mutex mutex;
  return mutex;
}

MpiCommunicator::MpiCommunicator(const std::vector<int>& ranks, int rank) {
  const std::lock_guard<std::mutex> lock(mpi_calls());
  check_launcher();
  begin();
  check_ranks(ranks, rank);
  MPI_Group world = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &members);
  const int code = MPI_Comm_create_group(MPI_COMM_WORLD, members, 0, &communicator_);
  MPI_Group_free(&members);
  MPI_Group_free(&world);
  check_mpi(code, "MPI_Comm_create_group");
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  ++groups;
}

// mpirun treats a process that exits without MPI_Finalize as lost.
MpiCommunicator::~MpiCommunicator() {
  const std::lock_guard<std::mutex> lock(mpi_calls());
  MPI_Comm_free(&communicator_);
  if (--groups == 0) MPI_Finalize();
}

}  // namespace levin::core
