/** @type {<K extends keyof HTMLElementTagNameMap>(name: K, attributes?: Record<string, string>, ...children: (Node | string)[]) => HTMLElementTagNameMap[K]} */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** @type {(kind: string, label: string, act?: () => void) => HTMLButtonElement} */
export function makeButton(kind, label, act) {
  const button = make("button", { type: "button", class: kind }, label);
  if (act !== undefined) button.addEventListener("click", act);
  return button;
}

/** @type {(act: (part: Document | Element) => void) => void} */
export function forEachPart(act) {
  act(document);
  document.addEventListener("swapped", ({ target }) => {
    if (target instanceof Element) act(target);
  });
}

/** @type {() => HTMLButtonElement} */
function dismissButton() {
  const button = makeButton("quiet icon-only", "");
  button.dataset["dismiss"] = "";
  button.ariaLabel = "Dismiss";
  button.innerHTML = '<svg class="icon" viewBox="0 0 24 24"><path d="M18 6 6 18M6 6l12 12"></path></svg>';
  return button;
}

/** Shows a toast and returns a function that removes it. A toast of the kind `done` closes after ten seconds.
 * @type {(text: string, options?: { kind?: "done" | "warning" | "error", act?: { label: string, run: () => void }, isFixed?: boolean }) => () => void} */
export function showToast(text, { kind = "done", act, isFixed = false } = {}) {
  const toast = make("div", { class: `banner ${kind}` }, make("span", {}, text));
  if (kind === "error") toast.role = "alert";
  const remove = () => toast.remove();
  if (act !== undefined) {
    const run = () => {
      remove();
      act.run();
    };
    toast.append(makeButton("plain", act.label, run));
  }
  if (!isFixed) toast.append(dismissButton());
  toast.addEventListener("animationend", ({ animationName }) => {
    if (animationName === "toast-out") remove();
  });
  document.getElementById("toasts")?.append(toast);
  return remove;
}
