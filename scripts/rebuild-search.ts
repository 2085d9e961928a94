// `npm run db:rebuild-search`: the search indexes of every database, locally or (`-- --remote`) at Cloudflare. Stop `npm start` first.
import { databases, whereIs } from "./deploy/config.ts";
import { rebuildSearchIndexes } from "./deploy/search-indexes.ts";

for (const { database_name: name } of databases()) {
  await rebuildSearchIndexes(name, whereIs());
  console.log(`Database ${name}: search indexes rebuilt`);
}
