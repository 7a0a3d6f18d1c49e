import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:exact [-- mp3]`: checks that seeking in files of many hours plays the requested audio. Needs
// ffmpeg.
await runBrowserSuite({ config: 'tests/formats/exact/playwright.config.ts', report: '.cache/exact.json' });
