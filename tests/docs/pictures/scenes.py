"""The pictures of docs/images: which commands are shown, and when."""
import dataclasses


@dataclasses.dataclass
class Scene:
    commands: list  # typed and shown
    before: str = ""  # a script that runs first and is not shown
    until: str = ""  # the picture is taken once the screen matches this; "" = at the end
    rows: int = 60  # of the terminal; empty ones at the end are cut off
    steady: bool = False  # the output is the same on every machine; the test docs_pictures compares it with the host's


CNN = "host fit --model cnn --data synthetic --data.size 16 --log_every_n_steps 5"
PI = "cmake -S /usr/local/share/levin/examples/14-pi-in-c -B pi && cmake --build pi && mv $(find pi -name libpi.so) /usr/local/share/levin/examples/14-pi-in-c/points.txt .\n"
RUNS = f"""{CNN} --max_epochs 4 --quiet
{CNN} --max_epochs 4 --quiet --lr 0.001
{CNN} --max_epochs 4 --quiet --lr 1000000 || [ $? = 6 ]
{CNN} --max_epochs 4 --quiet --callback shell_command --hook on_train_epoch_start --every_n 3 --command 'kill -INT $PPID' || [ $? = 130 ]
"""

SCENES = {
    "first-run": Scene(["host --model mlp --data mnist --max_epochs 3"]),
    "progress": Scene(["host fit --model mlp --data mnist --max_epochs 3"], until=r"Epoch 3/3 .* (9|10|11)\d\d/1688 .*val_loss"),
    "dashboard": Scene(["host fit --model mlp --data mnist --max_epochs 6 \\\n--model.metrics accuracy,f1:macro --progress dashboard"], rows=30,
                       until=r"Epoch 5/6 .* (9|10|11|12)\d\d/1688"),
    "error": Scene(["host help mlp", "host fit --model mlp --data mnist --max_epoch 1", "host explain E0204"], steady=True),
    "runs": Scene(["host runs"], before=RUNS),
    "sweep": Scene(["host sweep --param 'model.lr=log(1e-4,1e-1)' --trials 6 --scheduler asha \\\nfit --model mlp --data synthetic --data.rows 512 --max_epochs 9",
                    "host sweep status levin_logs/sweep_0"]),
    "tasks": Scene(["host tasks --library libpi.so --file points.txt", "host tasks report levin_logs/tasks_0"], before=PI),
}
