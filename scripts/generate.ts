// `npm run generate`: everything that is made from the endpoints' declarations and kept in the repository.
import { writeFile } from "node:fs/promises";
import { makeOpenApiDocument } from "./generate/openapi-document.ts";

await writeFile("sdk/openapi.json", `${JSON.stringify(await makeOpenApiDocument(), null, 2)}\n`);
