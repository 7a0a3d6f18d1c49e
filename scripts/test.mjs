// `node scripts/test.mjs`: the tests of `npm test`; `all`: those of `npm run test:all`; `SUITE [arguments]`: one of
// scripts/suites.ts.
import './node-version.mjs';

const [name = 'core', ...args] = process.argv.slice(2);
const { runTests } = await import('./run-tests.ts');
// A suite may leave handles open, such as those of a browser.
process.exit(await runTests(name, args));
