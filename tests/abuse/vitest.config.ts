import { defineConfig } from 'vitest/config';

/**
 * Attacks on a composed server in its own process. Files run one at a time, because the neighbour's latency is
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
