// predict CHECKPOINT NUMBER...: what a trained model gives for one row.
#include <levin/inference.hpp>

#include <iostream>

int main(int argc, char** argv) try {
  if (argc < 3) throw std::runtime_error("usage: predict CHECKPOINT NUMBER...");
  const levin::Predictor model(argv[1]);
  std::vector<float> row;
  for (int i = 2; i < argc; ++i) row.push_back(std::stof(argv[i]));
  std::cout << model.predict(torch::from_blob(row.data(), {1, argc - 2})) << "\n";
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
