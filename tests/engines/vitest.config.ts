import { defineConfig } from 'vitest/config';

/** The whole app in three engines. One at a time, because each has a browser, a server and a sound server. */
export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    // In CI a retry separates a flaky test, which is reported by name, from a broken one.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 400_000,
    hookTimeout: 60_000,
  },
});
