"""The pictures of host board: eight runs, their hyperparameters, and one of them."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "board"))
from browser import Browser  # noqa: E402

PICTURES = ["board", "board-hyperparameters", "board-run"]
FITS = """for lr in 0.01 0.003 0.001 0.0003; do for hidden in 32 128; do
host fit --model mlp --data synthetic --data.rows 2048 --max_epochs 6 --log_every_n_steps 10 --callback confusion_matrix \\
  --lr $lr --hidden $hidden --quiet
done; done
host board"""
CHOOSE = """{ focusRun(state.runs[2].id);
  const one = document.querySelector('#run select'); one.value = state.runs[0].id; one.dispatchEvent(new Event('change')); }"""
VERIFY = "document.querySelectorAll('#run button').forEach((one) => { if (one.innerText === 'Verify') one.click(); })"


def has(text):
    return f"document.body.innerText.includes({text!r})"


def shrink(path):
    """Few colours are enough, and a third of the bytes."""
    from PIL import Image
    Image.open(path).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


def take_board(machine, images):
    machine.forget()
    machine.start(FITS)
    address = machine.wait(r"http://127\.0\.0\.1:\S+")[0]
    browser = Browser(shutil.which("chromium"), 1400, 860)

    def take(name, shown):
        if not browser.wait(shown):
            raise TimeoutError(f"the page does not show what the picture {name} needs")
        browser.do("new Promise((done) => setTimeout(done, 500))")
        browser.picture(images / f"{name}.png")
        shrink(images / f"{name}.png")

    try:
        browser.open(address)
        take("board", has("8 runs, 0 running, 8 shown") + " && document.querySelectorAll('#charts canvas').length > 1")
        browser.do("document.getElementById('tab-hparams').click()")
        take("board-hyperparameters", "document.querySelectorAll('#hparam-plot path[data-run]').length === 8")
        browser.do("focusRun(state.runs[2].id)")
        browser.wait("document.querySelector('#run select')")
        browser.do(CHOOSE)
        browser.wait("[...document.querySelectorAll('#run button')].some((one) => one.innerText === 'Verify')")
        browser.do(VERIFY)
        browser.wait("document.querySelector('#run').innerText.includes('whole')")
        browser.do("[...document.querySelectorAll('#run h2, #run h3')].find((one) => one.innerText.startsWith('Difference')).scrollIntoView()")
        take("board-run", has("Difference to another run"))
    finally:
        browser.end()
        machine.clear()
