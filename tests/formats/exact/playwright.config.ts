import { defineConfig } from '@playwright/test';

/** Checks that seeking is exact in files of many hours: `npm run test:exact`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../../test-results/exact',
  timeout: 900_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  reporter: [['line'], ['json', { outputFile: '../../../.cache/exact.json' }]],
});
