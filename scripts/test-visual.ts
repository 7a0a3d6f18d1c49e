import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:visual`: the main screens against the pictures that were accepted; `-- --update-snapshots`
// accepts what is there now.
await runBrowserSuite({ config: 'tests/visual/playwright.config.ts', report: '.cache/visual.json' });
