import * as z from "zod";
import { userPages } from "../../kit/audiences.ts";
import { refererPath } from "../../kit/pages.ts";
import { redirectTo } from "../../kit/results.ts";
import { storeTheme, themeShape } from "../../kit/theme.ts";

export const themePages = userPages();

themePages.post("/theme", { body: z.strictObject({ theme: themeShape }) }, (_request, { body, c }) => {
  storeTheme(c, body.theme);
  return redirectTo(refererPath(c));
});
