// The data of the model: the beginnings of episodes.
#pragma once
#include <levin/levin.hpp>

namespace cartpole {

// A row is an episode: the state at its beginning, and the seed of its actions. Those of training are new in each
// epoch.
class Episodes : public levin::DataModule {
 public:
  explicit Episodes(const levin::Args& o) : rows_(o.integer("episodes")), batch_(o.integer("batch")) {}
  std::vector<levin::Field> fields() const {
    return {levin::input("start", levin::float32, {4}),
            levin::Field{"seed", levin::int64, {}, LEVIN_ROLE_OTHER, 0, {}}};
  }
  int64_t rows(levin::Split split) const { return split == levin::Split::train ? rows_ : 100; }
  void dataloader(levin::LoaderPlan& plan) const {
    plan.batch_size(plan.split() == levin::Split::train ? batch_ : 100);
  }
  void get(levin::Split split, int64_t index, levin::Row& row, const levin::Draw& draw) const {
    levin::Random random = split == levin::Split::train ? draw.random() : levin::Random(static_cast<int>(split), index);
    for (int i = 0; i < 4; ++i) row.data<float>(0)[i] = static_cast<float>(random.uniform(-0.05, 0.05));
    row.data<int64_t>(1)[0] = static_cast<int64_t>(random() >> 1);
  }

 private:
  int64_t rows_, batch_;
};

}  // namespace cartpole
