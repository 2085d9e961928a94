import { csrfToken } from "../requests.client.js";

/** @type {WeakMap<Element, XMLHttpRequest>} */
const running = new WeakMap();

/** @type {<T extends Element>(field: Element, selector: string, type: new () => T) => T} */
function partOf(field, selector, type) {
  const part = field.querySelector(selector);
  if (!(part instanceof type)) throw new Error(`The field for a file lacks ${selector}.`);
  return part;
}

/** @type {(bytes: number) => string} */
const formatBytes = (bytes) =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** @type {(field: Element, reason: string) => void} */
const holdForm = (field, reason) => partOf(field, "input[type=file]", HTMLInputElement).setCustomValidity(reason);

/** @type {(field: Element, id: string) => void} */
function setValue(field, id) {
  const input = partOf(field, "input[type=hidden]", HTMLInputElement);
  input.value = id;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @type {(field: Element) => HTMLSelectElement | null} */
function storedChoice(field) {
  const select = field.closest(".file-choice")?.querySelector("[data-stored]");
  return select instanceof HTMLSelectElement ? select : null;
}

/** @type {(field: Element) => void} */
function removeFile(field) {
  running.get(field)?.abort();
  running.delete(field);
  const image = partOf(field, "img", HTMLImageElement);
  if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
  image.removeAttribute("src");
  image.hidden = true;
  partOf(field, ".attachment", HTMLElement).hidden = true;
  partOf(field, "input[type=file]", HTMLInputElement).value = "";
  holdForm(field, "");
  const stored = storedChoice(field);
  if (stored !== null) stored.value = "";
  setValue(field, "");
}

/** @type {(field: Element, message: string) => void} */
function showFault(field, message) {
  partOf(field, ".fault", HTMLElement).textContent = message;
  const input = partOf(field, "input[type=file]", HTMLInputElement);
  if (message === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

/** @type {(request: XMLHttpRequest) => string} */
function readRefusal(request) {
  try {
    const { error } = JSON.parse(request.responseText);
    return error.details?.[0]?.message ?? error.message;
  } catch {
    return request.status === 413 ? "The file is too large." : "Couldn't upload the file. Try again.";
  }
}

/** @type {(field: Element, file: File) => void} */
function showFile(field, file) {
  partOf(field, ".attachment", HTMLElement).hidden = false;
  partOf(field, ".attachment-name", HTMLElement).textContent = file.name;
  partOf(field, ".attachment-note", HTMLElement).textContent = formatBytes(file.size);
  const image = partOf(field, "img", HTMLImageElement);
  image.hidden = !/^image\/(jpeg|png|webp|gif)$/.test(file.type);
  if (!image.hidden) image.src = URL.createObjectURL(file);
}

/** @type {(field: HTMLElement, file: File) => void} */
function upload(field, file) {
  removeFile(field);
  showFault(field, "");
  if (file.size === 0) return showFault(field, "The file is empty. Choose another one.");
  showFile(field, file);
  holdForm(field, "The file is still uploading.");
  const progress = partOf(field, ".attachment-progress", HTMLProgressElement);
  progress.hidden = false;
  progress.value = 0;
  const request = new XMLHttpRequest();
  running.set(field, request);
  request.upload.addEventListener("progress", ({ loaded, total }) => (progress.value = (100 * loaded) / total));
  request.addEventListener("loadend", () => {
    if (running.get(field) !== request) return; // the user removed or replaced the file
    running.delete(field);
    progress.hidden = true;
    holdForm(field, "");
    if (request.status === 200 || request.status === 201)
      return setValue(field, JSON.parse(request.responseText).media.id);
    const refusal = request.status === 0 ? "Connection lost. Try again." : readRefusal(request);
    removeFile(field);
    showFault(field, refusal);
  });
  request.open("POST", `${field.dataset["upload"]}?${new URLSearchParams({ filename: file.name }).toString()}`);
  request.setRequestHeader("Content-Type", file.type === "" ? "application/octet-stream" : file.type);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRF-Token", csrfToken());
  request.send(file);
}

/** @type {(element: unknown) => HTMLElement | null} */
function fieldOf(element) {
  const field = element instanceof Element ? element.closest("[data-upload]") : null;
  return field instanceof HTMLElement ? field : null;
}

/** @type {(target: EventTarget | null) => HTMLElement | null} */
function fieldAt(target) {
  const own = fieldOf(target);
  if (own !== null || !(target instanceof Element)) return own;
  for (const field of document.querySelectorAll("[data-drop-on]"))
    if (field instanceof HTMLElement && target.closest(`#${field.dataset["dropOn"]}`) !== null) return field;
  return null;
}

/** @type {(target: EventTarget | null) => Element | null} */
function dropTarget(target) {
  const field = fieldAt(target);
  const id = field?.dataset["dropOn"];
  return id === undefined ? field : document.getElementById(id);
}

/** @type {(select: HTMLSelectElement) => void} */
function takeStored(select) {
  const field = fieldOf(select.closest(".file-choice")?.querySelector("[data-upload]"));
  const [option] = select.selectedOptions;
  if (field === null || option === undefined) return;
  const { value } = option;
  removeFile(field);
  showFault(field, "");
  if (value === "") return;
  select.value = value;
  partOf(field, ".attachment", HTMLElement).hidden = false;
  partOf(field, ".attachment-name", HTMLElement).textContent = option.textContent;
  partOf(field, ".attachment-note", HTMLElement).textContent = "";
  const image = partOf(field, "img", HTMLImageElement);
  image.hidden = option.dataset["picture"] === undefined;
  if (!image.hidden) image.src = `/console/media/${encodeURIComponent(value)}`;
  setValue(field, value);
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.dataset["stored"] !== undefined) return takeStored(target);
  const field = fieldOf(target);
  const file = target instanceof HTMLInputElement && target.type === "file" ? target.files?.[0] : undefined;
  if (field !== null && file !== undefined) upload(field, file);
});

document.addEventListener("click", ({ target }) => {
  const field = fieldOf(target);
  if (field === null || !(target instanceof Element) || target.closest(".attachment-remove") === null) return;
  removeFile(field);
  showFault(field, "");
  partOf(field, "input[type=file]", HTMLInputElement).focus();
});

document.addEventListener("dragover", (event) => {
  const area = event.dataTransfer?.types.includes("Files") === true ? dropTarget(event.target) : null;
  if (area === null) return;
  event.preventDefault();
  area.classList.add("drop-here");
});

document.addEventListener("dragleave", ({ target, relatedTarget }) => {
  const area = dropTarget(target);
  if (area !== null && !(relatedTarget instanceof Node && area.contains(relatedTarget)))
    area.classList.remove("drop-here");
});

document.addEventListener("drop", (event) => {
  const field = fieldAt(event.target);
  if (field === null) return;
  event.preventDefault(); // otherwise, the browser would open the file
  dropTarget(event.target)?.classList.remove("drop-here");
  const file = event.dataTransfer?.files[0];
  if (file !== undefined) upload(field, file);
});

document.addEventListener("paste", (event) => {
  const field = fieldAt(event.target);
  const file = event.clipboardData?.files[0];
  if (field === null || file === undefined) return;
  event.preventDefault();
  upload(field, file);
});
