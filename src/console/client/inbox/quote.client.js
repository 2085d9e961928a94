// The message that a reply quotes.

/** Once the reply is sent, the address no longer asks for its quote. */
export function forgetQuote() {
  if (document.querySelector("#quote [name=reply_to]") !== null) return;
  const url = new URL(location.href);
  url.searchParams.delete("reply_to");
  history.replaceState(null, "", url);
}
