// Submits the secret of an invitation or reset link. The secret is after the `#`, which browsers do not send.

const field = document.querySelector("#link input[name=secret]");
const secret = location.hash.slice(1);

if (field instanceof HTMLInputElement && field.form !== null && secret !== "") {
  field.value = secret;
  history.replaceState(null, "", location.pathname + location.search);
  field.form.requestSubmit();
}
