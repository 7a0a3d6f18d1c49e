import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:browser [-- player]`: every browser test; `-- --grep @core` runs those of `npm test`, `--
// --grep-invert @core` the others.
await runBrowserSuite({ config: 'playwright.config.ts', report: '.cache/e2e.json' });
