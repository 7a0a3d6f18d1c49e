import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:accessibility`: axe on every screen, journeys without a mouse, screen reader output, sizes.
await runBrowserSuite({ config: 'playwright.accessibility.config.ts', report: '.cache/accessibility.json' });
