import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:languages [-- overflow]`: checks every language in the browser.
await runBrowserSuite({ config: 'tests/languages/playwright.config.ts', report: '.cache/languages.json' });
