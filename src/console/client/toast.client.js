// Toasts: notices that disappear after ten seconds. Errors and warnings stay until dismissed.
import { make, makeButton } from "./elements.client.js";

const CROSS = "M18 6 6 18M6 6l12 12";

/** @type {() => HTMLButtonElement} */
function dismissButton() {
  const button = makeButton("quiet icon-only", "");
  button.dataset["dismiss"] = "";
  button.setAttribute("aria-label", "Dismiss");
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", "icon");
  icon.setAttribute("viewBox", "0 0 24 24");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", CROSS);
  icon.append(shape);
  button.append(icon);
  return button;
}

/**
 * Shows a toast. `act` adds a button, such as "Undo"; a fixed toast waits for it and can't be dismissed. Returns a
 * function that removes the toast.
 * @type {(text: string, options?: { kind?: "done" | "warning" | "error", act?: { label: string, run: () => void }, isFixed?: boolean }) => () => void} */
export function showToast(text, { kind = "done", act, isFixed = false } = {}) {
  const toast = make("div", { class: `banner ${kind}` });
  if (kind === "error") toast.setAttribute("role", "alert");
  const remove = () => toast.remove();
  toast.append(make("span", {}, text));
  const run = () => {
    remove();
    act?.run();
  };
  if (act !== undefined) toast.append(makeButton("plain", act.label, run));
  if (!isFixed) toast.append(dismissButton());
  toast.addEventListener("animationend", ({ animationName }) => {
    if (animationName === "toast-out") remove();
  });
  document.getElementById("toasts")?.append(toast);
  return remove;
}
