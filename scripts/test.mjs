// `npm test`: checks, unit and integration tests, the build, browser tests. Answers with one closing line.
import './node-version.mjs';

const { runEverything } = await import('./test-everything.ts');
process.exitCode = await runEverything();
