"""Writes the golden tables in this folder: the results of Python's torch.optim and its schedules, step by step.

On Debian 12 (torch 1.13), all but the newer optimizers:
    apt-get install --no-install-recommends python3-torch
    /usr/bin/python3 tests/optim/golden/make_golden.py optimizers lbfgs schedules
With torch 2.9 or newer, the optimizers whose options have changed since 1.13, and Muon; LAMB and Lion are written out here:
    python tests/optim/golden/make_golden.py newer_optimizers muon
"""
import json
import pathlib
import sys
import warnings

import torch
from torch.optim import lr_scheduler as S

warnings.simplefilter("ignore")
torch.set_num_threads(1)
HERE = pathlib.Path(__file__).parent


class Noise:
    """Numbers in [-1, 1) that float and double represent exactly; the same as in optimizer_golden_test.cpp."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 41) / 2**22 - 1

    def tensor(self, shape, dtype):
        n = 1
        for s in shape:
            n *= s
        return torch.tensor([self() for _ in range(n)], dtype=torch.float64).to(dtype).reshape(shape)


def write(folder, name, cases):
    path = HERE / folder / (name + ".json")
    path.parent.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
    path.write_text('{"torch":"%s","cases":[\n%s\n]}\n' % (torch.__version__, lines))


# ---- optimizers: three parameters, given gradients; the second has none on every third step --------------------------
SHAPES = [(5, 3), (19,), (1,)]
STEPS = 100
RECORD = [1, 2, 50, 51, 100]


def flat(t):
    return [float(x) for x in t.detach().reshape(-1)]


def run_optimizer(cls, options, dtype, change, shapes):
    noise = Noise(7)
    params = [noise.tensor(s, dtype).requires_grad_() for s in shapes]
    optimizer = cls(params, **options)
    out = []
    for step in range(1, STEPS + 1):
        for i, p in enumerate(params):
            g = noise.tensor(p.shape, dtype)
            p.grad = None if i == 1 and step % 3 == 0 else g
        if step == 51:
            for k, v in change.items():
                optimizer.param_groups[0][k] = v
        optimizer.step()
        if step in RECORD:
            state = {}
            for i, p in enumerate(params):
                for k, v in optimizer.state[p].items():
                    if isinstance(v, torch.Tensor) and k != "step":
                        state["0.p%d.%s" % (i, k)] = flat(v)
            out.append({"step": step, "params": [flat(p) for p in params], "state": state})
    return out


def optimizer_cases(name, cls, settings, change, shapes=SHAPES, **more):
    cases = []
    for dtype in ("float64", "float32"):
        for options in settings:
            cases.append({"optimizer": name, "options": options, "dtype": dtype, "change": change, "shapes": shapes, **more,
                          "steps": run_optimizer(cls, options, getattr(torch, dtype), change, shapes)})
    return cases


def optimizer_table(name, cls, settings, change):
    write("optimizers", name, optimizer_cases(name, cls, settings, change))


def optimizers():
    O = torch.optim
    optimizer_table("sgd", O.SGD, [
        dict(lr=0.05), dict(lr=0.05, weight_decay=0.1), dict(lr=0.05, momentum=0.9),
        dict(lr=0.05, momentum=0.9, dampening=0.3), dict(lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
        dict(lr=0.05, momentum=0.5, maximize=True, weight_decay=0.02)], dict(lr=0.02, momentum=0.8))
    adam = [dict(), dict(lr=0.01, betas=[0.8, 0.95], eps=1e-6), dict(lr=0.01, weight_decay=0.1),
            dict(lr=0.01, amsgrad=True), dict(lr=0.01, amsgrad=True, weight_decay=0.05, maximize=True)]
    optimizer_table("adam", O.Adam, adam, dict(lr=0.003, betas=[0.7, 0.97]))
    optimizer_table("adamw", O.AdamW, adam, dict(lr=0.003, betas=[0.7, 0.97]))
    optimizer_table("adagrad", O.Adagrad, [
        dict(), dict(lr=0.1, lr_decay=0.05, weight_decay=0.1), dict(lr=0.1, initial_accumulator_value=0.5, eps=1e-6),
        dict(lr=0.1, maximize=True)], dict(lr=0.05))
    optimizer_table("rmsprop", O.RMSprop, [
        dict(), dict(lr=0.01, alpha=0.9, eps=1e-6, weight_decay=0.1), dict(lr=0.01, momentum=0.9),
        dict(lr=0.01, centered=True), dict(lr=0.01, centered=True, momentum=0.5, weight_decay=0.05, maximize=True)],
        dict(lr=0.005, alpha=0.95))


class Lion(torch.optim.Optimizer):
    """Algorithm 2 of Chen et al. 2023, as in https://github.com/google/automl/blob/master/lion/lion_pytorch.py"""

    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                exp_avg = self.state[p].setdefault("exp_avg", torch.zeros_like(p))
                p.mul_(1 - group["lr"] * group["weight_decay"])
                update = exp_avg * beta1 + p.grad * (1 - beta1)
                p.add_(torch.sign(update), alpha=-group["lr"])
                exp_avg.mul_(beta2).add_(p.grad, alpha=1 - beta2)


class Lamb(torch.optim.Optimizer):
    """Algorithm 2 of You et al. 2020 (arXiv 1904.00962) with the identity as phi. Where a norm is 0 the ratio is 1, and the
    defaults are those of tensorflow_addons.optimizers.LAMB, the authors' code."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state.update(step=0, exp_avg=torch.zeros_like(p), exp_avg_sq=torch.zeros_like(p))
                state["step"] += 1
                m, v = state["exp_avg"], state["exp_avg_sq"]
                m.copy_(beta1 * m + (1 - beta1) * p.grad)
                v.copy_(beta2 * v + (1 - beta2) * p.grad**2)
                m_hat, v_hat = m / (1 - beta1 ** state["step"]), v / (1 - beta2 ** state["step"])
                update = m_hat / (v_hat.sqrt() + group["eps"]) + group["weight_decay"] * p
                norm, update_norm = float(p.norm()), float(update.norm())
                ratio = norm / update_norm if norm > 0 and update_norm > 0 else 1.0
                p.sub_(group["lr"] * ratio * update)


def newer_optimizers():
    O = torch.optim
    decoupled = dict(lr=0.01, weight_decay=0.1, decoupled_weight_decay=True)
    optimizer_table("nadam", O.NAdam, [
        dict(), dict(lr=0.01, betas=[0.8, 0.95], eps=1e-6, momentum_decay=0.1), dict(lr=0.01, weight_decay=0.1), decoupled,
        dict(lr=0.01, weight_decay=0.05, maximize=True)], dict(lr=0.003, betas=[0.7, 0.97]))
    optimizer_table("radam", O.RAdam, [
        dict(), dict(lr=0.01, betas=[0.8, 0.95], eps=1e-6), dict(lr=0.01, betas=[0.9, 0.6], weight_decay=0.1), decoupled,
        dict(lr=0.01, weight_decay=0.05, maximize=True)], dict(lr=0.003, betas=[0.7, 0.97]))
    optimizer_table("adamax", O.Adamax, [
        dict(), dict(lr=0.01, betas=[0.8, 0.95], eps=1e-6), dict(lr=0.01, weight_decay=0.1, maximize=True)],
        dict(lr=0.003, betas=[0.7, 0.97]))
    optimizer_table("adadelta", O.Adadelta, [
        dict(), dict(lr=0.5, rho=0.8, eps=1e-4, weight_decay=0.1), dict(maximize=True)], dict(lr=0.3, rho=0.95))
    optimizer_table("asgd", O.ASGD, [
        dict(), dict(lr=0.1, lambd=0.01, alpha=0.5, t0=20, weight_decay=0.1), dict(lr=0.05, t0=0, maximize=True)],
        dict(lr=0.03, lambd=0.02))
    optimizer_table("rprop", O.Rprop, [
        dict(), dict(lr=0.05, etas=[0.6, 1.5], step_sizes=[1e-3, 0.2]), dict(lr=0.001, maximize=True)], dict(lr=0.5))
    optimizer_table("lamb", Lamb, [
        dict(), dict(lr=0.01, betas=[0.8, 0.95], eps=1e-4), dict(lr=0.01, weight_decay=0.1)],
        dict(lr=0.003, betas=[0.7, 0.97]))
    optimizer_table("lion", Lion, [
        dict(), dict(lr=0.01, betas=[0.8, 0.95]), dict(lr=0.01, weight_decay=0.1)], dict(lr=0.003, betas=[0.7, 0.97]))


# ---- Muon: torch.optim.Muon computes its matrices in bfloat16, Levin on the CPU in the type of the parameter ---------
def orthogonal(grad, coefficients, steps, eps):
    """torch.optim._muon._zeropower_via_newtonschulz without the change of type."""
    a, b, c = coefficients
    x = grad.T if grad.size(0) > grad.size(1) else grad
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if grad.size(0) > grad.size(1) else x


def muon():
    from torch.optim import _muon

    shapes = [(4, 3), (2, 5), (3, 3)]
    settings = [dict(), dict(lr=0.02, momentum=0.8, nesterov=False, weight_decay=0.01),
                dict(lr=0.02, adjust_lr_fn="match_rms_adamw"), dict(lr=0.02, adjust_lr_fn="spectral_unclamped"),
                dict(lr=0.02, adjust_lr_fn="original", ns_steps=3, ns_coefficients=[3.0, -3.2, 1.2], eps=0.1)]
    change = dict(lr=0.05, momentum=0.9)
    rounded = optimizer_cases("muon", torch.optim.Muon, settings[:2], change, shapes, tolerance=0.015)
    _muon._zeropower_via_newtonschulz = orthogonal
    write("optimizers", "muon", optimizer_cases("muon", torch.optim.Muon, settings, change, shapes) + rounded)


# ---- L-BFGS: it evaluates the loss itself ---------------------------------------------------------------------------
def valley(params):  # Rosenbrock's function over all parameters, concatenated
    x = torch.cat([p.reshape(-1) for p in params])
    return (3 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def lbfgs():
    settings = [dict(lr=0.2, max_iter=1), dict(lr=0.2, max_iter=2, history_size=3), dict(lr=0.2, max_iter=6, max_eval=3),
                dict(line_search_fn="strong_wolfe", max_iter=1), dict(line_search_fn="strong_wolfe", max_iter=2, history_size=2),
                dict(lr=0.5, line_search_fn="strong_wolfe", max_iter=3, max_eval=4),
                dict(line_search_fn="strong_wolfe", tolerance_grad=1e-3, tolerance_change=1e-4)]
    cases = []
    for options in settings:
        noise = Noise(11)
        params = [noise.tensor(s, torch.float64).requires_grad_() for s in [(2, 2), (3,)]]
        optimizer = torch.optim.LBFGS(params, **options)
        evaluations = [0]

        def closure():
            evaluations[0] += 1
            optimizer.zero_grad()
            loss = valley(params)
            loss.backward()
            return loss

        steps = []
        for step in range(1, STEPS + 1):
            loss = float(optimizer.step(closure))
            if step in (1, 2, 3, 5, 8, 13, 20, 50, 100):
                steps.append({"step": step, "loss": loss, "evaluations": evaluations[0],
                              "params": [flat(p) for p in params]})
        cases.append({"optimizer": "lbfgs", "options": options, "dtype": "float64", "steps": steps})
    write("optimizers", "lbfgs", cases)


# ---- schedules: 1,000 steps -----------------------------------------------------------------------------------------
FACTORS = {  # the same in scheduler_golden_test.cpp
    "power": lambda step: 0.99**step,
    "steps": lambda step: 1.0 - (step // 100) * 0.05,
    "inverse": lambda step: 1.0 / (1.0 + 0.01 * step),
    "shrink": lambda step: 0.999,
}


def build(case, optimizer):
    options = dict(case["options"])
    name = case["name"]
    if name in ("sequential", "chained"):
        parts = []
        for part in options.pop("schedulers"):
            part = dict(part)
            parts.append(build({"name": part.pop("name"), "options": part}, optimizer))
        return S.SequentialLR(optimizer, parts, **options) if name == "sequential" else S.ChainedScheduler(parts)
    if name == "warmup":
        after = dict(options["after"])
        n = options["warmup_steps"]
        ramp = S.LinearLR(optimizer, start_factor=options["start_factor"], end_factor=1.0, total_iters=n)
        return S.SequentialLR(optimizer, [ramp, build({"name": after.pop("name"), "options": after}, optimizer)], [n])
    if name in ("lambda", "multiplicative"):
        options["lr_lambda"] = [FACTORS[f] for f in case["factors"]]
    cls = {"step": S.StepLR, "multi_step": S.MultiStepLR, "constant": S.ConstantLR, "linear": S.LinearLR,
           "exponential": S.ExponentialLR, "polynomial": S.PolynomialLR, "cosine_annealing": S.CosineAnnealingLR,
           "cosine_annealing_warm_restarts": S.CosineAnnealingWarmRestarts, "one_cycle": S.OneCycleLR,
           "cyclic": S.CyclicLR, "lambda": S.LambdaLR, "multiplicative": S.MultiplicativeLR,
           "reduce_on_plateau": S.ReduceLROnPlateau}[name]
    return cls(optimizer, **options)


def run_schedule(case):
    groups = [{"params": [torch.zeros(1, requires_grad=True)], "lr": lr} for lr in case["lrs"]]
    adam = case.get("adam", False)
    optimizer = torch.optim.Adam(groups) if adam else torch.optim.SGD(groups, lr=1.0, momentum=0.9)
    schedule = build(case, optimizer)
    noise = Noise(case.get("metric_seed", 0))
    lrs, momenta = [], []
    for step in range(1001):
        if step > 0 and case["name"] == "reduce_on_plateau":
            schedule.step(case["sign"] * (10.0 / (1 + step // 40) + 0.5 * noise()))
        elif step > 0 and step <= case.get("steps", 1000):
            schedule.step()
        lrs.append([g["lr"] for g in optimizer.param_groups])
        momenta.append([g["betas"][0] if adam else g["momentum"] for g in optimizer.param_groups])
    columns = {"lr": [list(c) for c in zip(*lrs)]}
    if len({tuple(m) for m in momenta}) > 1:
        columns["momentum"] = [list(c) for c in zip(*momenta)]
    return columns


def schedule_table(name, *settings):
    cases = []
    for options in settings:
        extra = {k[1:]: options.pop(k) for k in list(options) if k.startswith("_")}
        case = {"name": name, "options": options, "lrs": extra.pop("lrs", [0.1]), **extra}
        case.update(run_schedule(case))
        cases.append(case)
    write("schedulers", name, cases)


def schedules():
    schedule_table("step", dict(step_size=30, _lrs=[0.1, 0.02]), dict(step_size=7, gamma=0.97), dict(step_size=1, gamma=0.995))
    schedule_table("multi_step", dict(milestones=[30, 80, 500], _lrs=[0.1, 0.02]),
                   dict(milestones=[500, 100, 100, 900], gamma=0.5), dict(milestones=[0, 10], gamma=0.3))
    schedule_table("constant", dict(), dict(factor=0.1, total_iters=300), dict(factor=0.7, total_iters=1))
    schedule_table("linear", dict(), dict(start_factor=0.01, total_iters=500), dict(start_factor=1.0, end_factor=0.0, total_iters=900),
                   dict(start_factor=0.5, end_factor=0.1, total_iters=2000))
    schedule_table("exponential", dict(gamma=0.99), dict(gamma=0.9), dict(gamma=1.001, _lrs=[1e-4, 1e-3]))
    schedule_table("polynomial", dict(), dict(total_iters=800, power=2.0), dict(total_iters=1500, power=0.5))
    schedule_table("cosine_annealing", dict(T_max=1000), dict(T_max=100, eta_min=1e-3, _lrs=[0.1, 0.02]), dict(T_max=1), dict(T_max=33))
    schedule_table("cosine_annealing_warm_restarts", dict(T_0=50), dict(T_0=10, T_mult=2, eta_min=1e-4, _lrs=[0.1, 0.02]), dict(T_0=1, T_mult=3))
    schedule_table("one_cycle", dict(max_lr=0.1, total_steps=1000), dict(max_lr=[0.1, 0.5], epochs=10, steps_per_epoch=101, _lrs=[0.1, 0.02]),
                   dict(max_lr=0.2, total_steps=1001, pct_start=0.25, anneal_strategy="linear", div_factor=10.0, final_div_factor=100.0),
                   dict(max_lr=0.2, total_steps=1003, three_phase=True, base_momentum=0.7, max_momentum=0.99, _adam=True),
                   dict(max_lr=0.2, total_steps=1200, three_phase=True, anneal_strategy="linear", cycle_momentum=False),
                   dict(max_lr=0.2, total_steps=1000, pct_start=0.0), dict(max_lr=0.2, total_steps=1000, pct_start=1.0, _steps=999))
    schedule_table("cyclic", dict(base_lr=0.01, max_lr=0.1, step_size_up=60), dict(base_lr=0.01, max_lr=0.1, step_size_up=30, step_size_down=77, mode="triangular2"),
                   dict(base_lr=[0.01, 0.001], max_lr=[0.1, 0.5], step_size_up=40, mode="exp_range", gamma=0.999, base_momentum=0.6, max_momentum=0.95, _lrs=[1.0, 2.0]),
                   dict(base_lr=0.01, max_lr=0.1, cycle_momentum=False))
    schedule_table("lambda", dict(_factors=["power"]), dict(_factors=["steps", "inverse"], _lrs=[0.1, 0.02]))
    schedule_table("multiplicative", dict(_factors=["shrink"]), dict(_factors=["shrink", "inverse"], _lrs=[0.1, 0.02]))
    linear = dict(name="linear", start_factor=0.1, total_iters=20)
    schedule_table("sequential",
                   dict(schedulers=[linear, dict(name="exponential", gamma=0.99)], milestones=[20]),
                   dict(schedulers=[dict(name="constant", factor=0.5, total_iters=50), dict(name="cosine_annealing", T_max=200), dict(name="step", step_size=100, gamma=0.5)],
                        milestones=[100, 500], _lrs=[0.1, 0.02]),
                   dict(schedulers=[dict(name="cosine_annealing_warm_restarts", T_0=30), dict(name="polynomial", total_iters=300, power=1.5)], milestones=[333]))
    schedule_table("chained", dict(schedulers=[dict(name="constant", factor=0.1, total_iters=2), dict(name="exponential", gamma=0.9)]),
                   dict(schedulers=[linear, dict(name="step", step_size=100, gamma=0.5), dict(name="multi_step", milestones=[450], gamma=0.1)], _lrs=[0.1, 0.02]))
    schedule_table("reduce_on_plateau", dict(_sign=1.0), dict(factor=0.5, patience=3, threshold=1e-2, cooldown=2, min_lr=1e-3, _sign=1.0, _lrs=[0.1, 0.02]),
                   dict(mode="max", patience=2, threshold_mode="abs", threshold=0.05, factor=0.7, min_lr=[1e-3, 1e-4], _sign=-1.0, _lrs=[0.1, 0.02]),
                   dict(mode="max", patience=0, factor=0.9, eps=1e-4, _sign=1.0), dict(patience=5, threshold_mode="abs", factor=0.2, _sign=1.0))
    schedule_table("warmup", dict(warmup_steps=100, start_factor=0.001, after=dict(name="cosine_annealing", T_max=900)),
                   dict(warmup_steps=10, start_factor=0.5, after=dict(name="step", step_size=50, gamma=0.8), _lrs=[0.1, 0.02]))


TABLES = [optimizers, newer_optimizers, muon, lbfgs, schedules]
for table in TABLES:
    if table.__name__ in (sys.argv[1:] or [t.__name__ for t in TABLES]):
        table()
