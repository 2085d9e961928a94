import { showFiltered } from "../renew.client.js";

/** @type {HTMLAnchorElement | null} */
let openedBy = null;

const findMenu = () => document.getElementById("message-menu");

/** @type {(menu: HTMLElement, link: HTMLElement) => void} */
function moveTo(menu, link) {
  const at = link.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const top = at.bottom + height > innerHeight ? at.top - height : at.bottom;
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, top)}px`;
}

/** @type {(menu: HTMLElement, link: HTMLAnchorElement) => void} */
function openMenu(menu, link) {
  openedBy = link;
  const id = link.dataset["message"] ?? "";
  const field = menu.querySelector("[name=message_id]");
  if (field instanceof HTMLInputElement) field.value = id;
  for (const button of menu.querySelectorAll("button")) {
    const emoji = button.dataset["emoji"] ?? "";
    const isOwn = emoji === link.dataset["own"];
    button.value = isOwn ? "" : emoji; // pressing the current reaction again removes it
    button.setAttribute("aria-pressed", String(isOwn));
  }
  const details = menu.querySelector("[data-option=details]");
  if (details instanceof HTMLAnchorElement) details.href = link.href;
  const reply = menu.querySelector("[data-option=reply]");
  if (reply instanceof HTMLAnchorElement) {
    const url = new URL(reply.href);
    url.searchParams.set("reply_to", id);
    reply.href = url.href;
    reply.hidden = document.getElementById("quote") === null; // without a quote field, the window is closed and replies need a template
  }
  menu.showPopover();
  moveTo(menu, link);
  menu.querySelector("button")?.focus();
}

/** @type {(href: string) => Promise<void>} */
async function quoteMessage(href) {
  await showFiltered(new URL(href), ["quote"]);
  const field = document.querySelector(".reply-form textarea");
  if (field instanceof HTMLElement) field.focus();
}

const isPlain = (/** @type {MouseEvent} */ event) =>
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const menu = findMenu();
  if (link === null || menu === null || !isPlain(event)) return;
  if (link.classList.contains("options")) {
    event.preventDefault();
    openMenu(menu, link);
  } else if (link.dataset["option"] === "reply") {
    event.preventDefault();
    menu.hidePopover();
    void quoteMessage(link.href);
  }
});

document.addEventListener("submit", ({ target }) => {
  const menu = findMenu();
  if (menu !== null && target instanceof Node && menu.contains(target)) menu.hidePopover();
});

findMenu()?.addEventListener("toggle", (event) => {
  if (!(event instanceof ToggleEvent) || event.newState !== "closed") return;
  if (document.activeElement === document.body || document.activeElement === null) openedBy?.focus();
});
