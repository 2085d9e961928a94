// Presses that are under way. A button that is replaced between the press and the release would lose the press, so parts of the page
// are replaced after the release.

/** The browser does not always report a release, as over the list of a select. */
const LONGEST_PRESS_MS = 2000;

let released = Promise.resolve();

/** @type {(events: string[]) => void} */
function holdUntil(events) {
  const over = new AbortController();
  released = new Promise((resolve) => {
    // The click follows the release.
    const end = () => setTimeout(() => resolve(over.abort()));
    for (const event of events) addEventListener(event, end, { capture: true, signal: over.signal });
    setTimeout(end, LONGEST_PRESS_MS);
  });
}

addEventListener("pointerdown", () => holdUntil(["pointerup", "pointercancel"]), { capture: true });
// The space bar presses a button as it is released.
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && holdUntil(["keyup"]), { capture: true });

/** Settles once nothing is pressed. */
export const untilReleased = () => released;
