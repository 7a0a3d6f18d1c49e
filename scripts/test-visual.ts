import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:visual`: compares the main screens with the accepted screenshots; `-- --update-snapshots` accepts
// the current ones.
await runBrowserSuite({ config: 'tests/visual/playwright.config.ts', report: '.cache/visual.json' });
