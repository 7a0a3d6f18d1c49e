// `npm test`: checks, unit and integration tests, the build, and the browser journeys tagged @core. `npm run
// test:all` runs every browser test.
import './node-version.mjs';

const { runTests } = await import('./run-tests.ts');
process.exitCode = await runTests({ everyBrowserTest: process.argv.includes('--all') });
