// `npm run db:rebuild-search` rebuilds the search indexes of every local database. With `-- --remote`, it rebuilds
// those of every database at Cloudflare. Stop `npm start` before a local rebuild.
import { databases, databasesAt, whereIs } from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { rebuildSearchIndexes } from "./deploy/search-indexes.ts";

printFaults();
const where = whereIs();
console.log(`Rebuilding the search indexes of the ${databasesAt(where)}`);
for (const { database_name: name } of databases()) {
  await rebuildSearchIndexes(name, where);
  console.log(`Database ${name}: search indexes rebuilt`);
}
