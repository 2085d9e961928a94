// Keeps the keyboard focus if a button or row opens another page of the inbox.

const KEY = "focus"; // session storage: selectors; the first visible match receives the focus

/** @type {(selectors: (string | undefined)[]) => void} */
const remember = (selectors) =>
  sessionStorage.setItem(KEY, JSON.stringify(selectors.filter((each) => each !== undefined)));

/** @type {() => Element[]} */
const listLinks = () => [...document.querySelectorAll("#conversations [data-rows] a")];

/** Candidate rows after the current row leaves the list: the next rows, then the previous ones.
 * @type {(isLeaving: (link: Element) => boolean) => string[]} */
function rowsInstead(isLeaving) {
  const links = listLinks();
  const first = links.findIndex(isLeaving);
  if (first === -1) return [];
  const others = [...links.slice(first), ...links.slice(0, first).toReversed()].filter((link) => !isLeaving(link));
  return others.map(({ id }) => `#${id}`);
}

/** @type {(link: Element) => boolean} */
const isTicked = (link) => link.closest("li")?.querySelector(":checked") !== null;

document.addEventListener("submit", ({ target: form, submitter }) => {
  if (!(form instanceof HTMLFormElement) || form.dataset["swap"] !== undefined || form.method !== "post") return;
  const menu = form.closest("details.menu[id]");
  const fields = new FormData(form);
  if (form.id === "bulk") return remember([...rowsInstead(isTicked), "#conversations a"]);
  if (fields.get("status") === "done")
    return remember([...rowsInstead((link) => link.hasAttribute("aria-current")), '[data-key="e"]']);
  const [, conversation] = /\/(cnv_\w+)\//.exec(form.action) ?? [];
  const key = submitter?.getAttribute("data-key");
  remember([
    menu === null ? undefined : `#${menu.id} > summary`,
    key === null || key === undefined ? undefined : `[data-key="${key}"]`,
    conversation === undefined ? undefined : `#row-${conversation}`,
    "#conversations a",
  ]);
});

document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest("#conversations [data-rows] a") : null;
  if (link !== null) remember([`#${link.id}`]);
});

/** @type {string[]} */
const wanted = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
sessionStorage.removeItem(KEY);
const found = wanted
  .map((selector) => document.querySelector(selector))
  .find((element) => element instanceof HTMLElement && element.offsetParent !== null);
if (found instanceof HTMLElement && document.activeElement === document.body) found.focus();
