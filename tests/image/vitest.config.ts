import { defineConfig } from 'vitest/config';

/** Builds the image of deploy/Dockerfile and runs it. */
export default defineConfig({
  test: {
    include: ['tests/image/**/*.test.ts'],
    environment: 'node',
    testTimeout: 120_000,
  },
});
