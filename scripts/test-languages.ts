import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:languages [-- overflow]`: what every language must hold, in the browser.
await runBrowserSuite({ config: 'tests/languages/playwright.config.ts', report: '.cache/languages.json' });
