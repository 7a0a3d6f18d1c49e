import { defineConfig } from '@playwright/test';

/** Compares the main screens with the accepted screenshots: `npm run test:visual`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/visual',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  // A missing screenshot is an error and not created automatically.
  updateSnapshots: 'none',
  timeout: 180_000,
  expect: { timeout: 15_000, toHaveScreenshot: { maxDiffPixels: 400 } },
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // In CI a retry separates a flaky test, which is reported by name, from a broken one.
  retries: process.env.CI ? 2 : 0,
  reporter: [['line'], ['json', { outputFile: '../../.cache/visual.json' }]],
});
