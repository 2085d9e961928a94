// The message that a reply quotes.

/** Removes the quote from the address after the reply is sent. */
export function forgetQuote() {
  if (document.querySelector("#quote [name=reply_to]") !== null) return;
  const url = new URL(location.href);
  url.searchParams.delete("reply_to");
  history.replaceState(null, "", url);
}
