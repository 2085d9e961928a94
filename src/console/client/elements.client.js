/** @type {<K extends keyof HTMLElementTagNameMap>(name: K, attributes?: Record<string, string>, text?: string) => HTMLElementTagNameMap[K]} */
export function make(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** A button that runs `act`.
 * @type {(kind: string, label: string, act?: () => void) => HTMLButtonElement} */
export function makeButton(kind, label, act) {
  const button = make("button", { type: "button", class: kind }, label);
  if (act !== undefined) button.addEventListener("click", act);
  return button;
}
