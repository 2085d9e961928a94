// The preview of a template follows what is typed; where no script runs, a button asks for it.

const button = document.querySelector("button[data-preview]");
const form = button instanceof HTMLButtonElement ? button.form : null;

/** @type {(form: HTMLFormElement, url: string) => Promise<void>} */
async function show(sent, url) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(sent)) if (typeof value === "string") body.append(name, value);
  const response = await fetch(url, { method: "POST", body });
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("preview");
  // What has been typed meanwhile is on its way.
  if (fresh !== null && body.get("body") === new FormData(sent).get("body"))
    document.getElementById("preview")?.replaceWith(fresh);
}

if (button instanceof HTMLButtonElement && form !== null) {
  const url = button.formAction;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  form.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => void show(form, url), 250);
  });
}
