// Invitation and reset links contain a secret after the `#`, which browsers do not send. This script submits
// it.

const field = document.querySelector("#link input[name=secret]");
const secret = location.hash.slice(1);

if (field instanceof HTMLInputElement && field.form !== null && secret !== "") {
  field.value = secret;
  history.replaceState(null, "", location.pathname + location.search);
  field.form.requestSubmit();
}
