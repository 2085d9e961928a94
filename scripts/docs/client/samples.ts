import { LOCAL_ORIGIN, ORIGIN } from "../origin.ts";

const isLocal = /^(?:localhost|127\.0\.0\.1)$/.test(location.hostname);

/** Replaces the placeholder in samples by this deployment's address. */
export function showOwnAddress(): void {
  const placeholders = isLocal ? [ORIGIN, LOCAL_ORIGIN] : [ORIGIN];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? "";
    const shown = placeholders.reduce((replaced, origin) => replaced.replaceAll(origin, location.origin), text);
    if (shown !== text) node.nodeValue = shown;
  }
}

const inputs = () => document.querySelectorAll<HTMLInputElement>(".tabs > input");

function choose(language: string): void {
  for (const input of inputs()) if (input.dataset["language"] === language) input.checked = true;
}

/** Applies a chosen language to all samples, on later pages too. */
export function keepLanguage(): void {
  const kept = localStorage.getItem("language");
  if (kept !== null) choose(kept);
  for (const input of inputs()) {
    input.addEventListener("change", () => {
      const language = input.dataset["language"] ?? "";
      const top = input.getBoundingClientRect().top;
      choose(language);
      localStorage.setItem("language", language);
      // Keeps the chosen sample at its position, because samples above may change their height.
      scrollBy(0, input.getBoundingClientRect().top - top);
    });
  }
}
