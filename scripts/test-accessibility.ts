import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:accessibility`: axe on every screen, journeys without a mouse, what a screen reader hears,
// sizes.
await runBrowserSuite({ config: 'playwright.accessibility.config.ts', report: '.cache/accessibility.json' });
