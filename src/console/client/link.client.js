// Submits the secret of an invitation or reset link. A script must do this, because browsers do not send the
// part after the `#`, which contains the secret.

const field = document.querySelector("#link input[name=secret]");
const secret = location.hash.slice(1);

if (field instanceof HTMLInputElement && field.form !== null && secret !== "") {
  field.value = secret;
  history.replaceState(null, "", location.pathname + location.search);
  field.form.requestSubmit();
}
