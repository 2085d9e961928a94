// Shows in the title and the icon of the page that conversations are unread.

const icon = document.querySelector('link[rel="icon"]');
const iconPath = icon?.getAttribute("href") ?? "";

export function showUnread() {
  const count = document.getElementById("unread")?.dataset["count"] ?? "";
  const title = document.title.replace(/^\(\d+\+?\) /, "");
  document.title = count === "" ? title : `(${count}) ${title}`;
  icon?.setAttribute("href", count === "" ? iconPath : `${iconPath}?unread`);
}

document.addEventListener("swapped", ({ target }) => {
  if (target instanceof Element && target.id === "unread") showUnread();
});
