import { defineConfig } from 'vitest/config';

/**
 * Attacks on a composed server in a process of its own. One file at a time: the neighbour's latency is
 * measured.
 */
export default defineConfig({
  test: {
    include: ['tests/abuse/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
