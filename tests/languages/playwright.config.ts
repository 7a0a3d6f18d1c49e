import { defineConfig } from '@playwright/test';

/** Browser tests that every language must pass: `npm run test:languages`. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/languages',
  timeout: 300_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // In CI a retry separates a flaky test, which is reported by name, from a broken one.
  retries: process.env.CI ? 2 : 0,
  reporter: [['line'], ['json', { outputFile: '../../.cache/languages.json' }]],
});
