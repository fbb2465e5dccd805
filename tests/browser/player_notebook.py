"""A notebook with the same player twice, and a walk through that player."""

import nbformat
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.player import button, state
from tests.whygrad.graph.functions import training_step
from whygrad.graph import step

SET_UP = """\
import torch
from torch import nn
from helpers import step
model = nn.Linear(2, 1)
loss = nn.MSELoss()(model(torch.ones(4, 2)), torch.zeros(4, 1))"""
SHOW = "step(loss, loss=loss, **dict(model.named_parameters()))"
NODES = ["MseLossBackward0", "AddmmBackward0", "AccumulateGrad of bias", "TBackward0"]
NODES.append("AccumulateGrad of weight")


def notebook() -> nbformat.NotebookNode:
    """Make a notebook with the same player twice, outputs stored, signed by nobody."""
    tensors = training_step()
    data, _ = step(tensors["loss"], **tensors)._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data=data, execution_count=2)
    cells = [nbformat.v4.new_markdown_cell("# A heading\n", id="heading")]
    cells.append(nbformat.v4.new_code_cell(SET_UP, id="set-up"))
    for name in ("first", "second"):
        cells.append(nbformat.v4.new_code_cell(SHOW, id=name, outputs=[output]))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def drive(chrome: Chrome, player: WebElement) -> None:
    """Walk through a training step by mouse and by keyboard, and look at every step."""
    ends = {0: ["true", "true", "false", "false"], 4: ["false", "false", "true", "true"]}

    def at(place: int) -> None:
        shown = state(chrome, player)
        assert shown.where == f"Step {place + 1} of 5"
        assert shown.heading == NODES[place]
        assert shown.now == [f"n{place + 1}"]
        assert sorted(shown.done) == [f"n{i + 1}" for i in range(place)]
        assert shown.border == "4px"
        assert shown.ends == ends.get(place, ["false"] * 4)

    at(0)
    for place in range(1, 5):
        button(player, "Next").click()
        at(place)
    button(player, "Next").click()
    at(4)
    button(player, "Previous").click()
    at(3)
    button(player, "First").click()
    at(0)
    button(player, "Last").click()
    at(4)
    here = player.find_element(By.CSS_SELECTOR, "button")
    for element in (player, here):
        for key, place in (
            (Keys.HOME, 0),
            (Keys.ARROW_LEFT, 0),
            (Keys.ARROW_RIGHT, 1),
            (Keys.ARROW_RIGHT, 2),
            (Keys.ARROW_LEFT, 1),
            (Keys.END, 4),
            (Keys.ARROW_RIGHT, 4),
        ):
            element.send_keys(key)
            at(place)
