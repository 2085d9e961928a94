/** Scrolls to the first fault below `root`. The fault's text takes the focus if it belongs to no field.
 * @type {(root: ParentNode) => void} */
export function showFirstFault(root) {
  const found =
    root.querySelector('form [aria-invalid="true"], form .fault:not(:empty)') ??
    root.querySelector("main .banner.error");
  if (!(found instanceof HTMLElement)) return;
  found.closest("details")?.setAttribute("open", "");
  if (found.matches(".fault, .banner")) found.tabIndex = -1;
  found.focus();
}
