"use strict";

// A pair has its pictures beside each other. Here they are laid onto each other, with a slider that moves the border
// between them, and models get one that turns them. Dragging in a picture does the same.
for (const pair of document.querySelectorAll(".pair")) {
  const cut = pair.querySelector("input.cut"), turn = pair.querySelector("input.turn");
  for (const [input, variable] of [[cut, "--cut"], [turn, "--side"]]) {
    if (!input) continue;
    input.parentElement.hidden = false;
    const apply = () => pair.style.setProperty(variable, input.value);
    input.addEventListener("input", apply);
    apply();
  }
  if (cut) pair.classList.add("laid");
  const stage = pair.querySelector(".stage");
  if (!turn && !cut) continue;
  stage.classList.add("dragged");
  let from = 0, was = 0;
  const drag = (event) => {
    const box = stage.querySelector(".window").getBoundingClientRect();
    if (turn) {
      const sides = Number(turn.max) + 1, steps = Math.round((event.clientX - from) / box.width * -sides);
      turn.value = String(((was + steps) % sides + sides) % sides);
      turn.dispatchEvent(new Event("input"));
    } else {
      cut.value = String((event.clientX - box.left) / box.width * 100);
      cut.dispatchEvent(new Event("input"));
    }
  };
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    stage.setPointerCapture(event.pointerId);
    from = event.clientX;
    was = turn ? Number(turn.value) : 0;
    drag(event);
  });
  stage.addEventListener("pointermove", (event) => {
    if (stage.hasPointerCapture(event.pointerId)) drag(event);
  });
}
