// Submits the secret of an invitation link or reset link. Browsers do not send the fragment with the secret themselves.

const field = document.querySelector("#link input[name=secret]");
const secret = location.hash.slice(1);

if (field instanceof HTMLInputElement && field.form !== null && secret !== "") {
  field.value = secret;
  history.replaceState(null, "", location.pathname + location.search);
  field.form.requestSubmit();
}
