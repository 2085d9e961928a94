import { LOCAL_ORIGIN, ORIGIN } from "../origin.ts";

const isLocal = /^(?:localhost|127\.0\.0\.1)$/.test(location.hostname);

/** Puts this deployment's address into samples in place of the placeholder. */
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

/** A language that is chosen once is shown in all samples, on later pages too. */
export function keepLanguage(): void {
  const kept = localStorage.getItem("language");
  if (kept !== null) choose(kept);
  for (const input of inputs()) {
    input.addEventListener("change", () => {
      const language = input.dataset["language"] ?? "";
      const top = input.getBoundingClientRect().top;
      choose(language);
      localStorage.setItem("language", language);
      // Samples above may have become longer or shorter; what was chosen stays where it is.
      scrollBy(0, input.getBoundingClientRect().top - top);
    });
  }
}
