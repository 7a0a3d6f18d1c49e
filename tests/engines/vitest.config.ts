import { defineConfig } from 'vitest/config';

/** The whole app in three engines. One at a time, because each has a browser, a server and a sound server. */
export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 400_000,
    hookTimeout: 60_000,
  },
});
