import * as z from "zod";
import { userPages } from "../../kit/audiences.ts";
import { refererPath } from "../../kit/pages.ts";
import { redirectTo } from "../../kit/results.ts";
import { personPaneShape, storePersonPane, storeTheme, themeShape } from "../../kit/appearance.ts";

export const appearancePages = userPages();

appearancePages.post("/theme", { body: z.strictObject({ theme: themeShape }) }, (_request, { body, c }) => {
  storeTheme(c, body.theme);
  return redirectTo(refererPath(c));
});

appearancePages.post("/person-pane", { body: z.strictObject({ pane: personPaneShape }) }, (_request, { body, c }) => {
  storePersonPane(c, body.pane);
  return redirectTo(refererPath(c));
});
