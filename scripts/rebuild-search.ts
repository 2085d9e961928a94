// `npm run db:rebuild-search`: rebuilds the search indexes of every local database, or with `-- --remote` of every
// database at Cloudflare. Stop `npm start` first.
import { databases, whereIs } from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { rebuildSearchIndexes } from "./deploy/search-indexes.ts";

printFaults();
for (const { database_name: name } of databases()) {
  await rebuildSearchIndexes(name, whereIs());
  console.log(`Database ${name}: search indexes rebuilt`);
}
