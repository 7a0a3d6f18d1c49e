import { runBrowserSuite } from './browser-suite.ts';

// `npm run test:exact [-- mp3]`: whether what is heard is what was asked for, in files of many hours. Needs
// ffmpeg.
await runBrowserSuite({ config: 'tests/formats/exact/playwright.config.ts', report: '.cache/exact.json' });
