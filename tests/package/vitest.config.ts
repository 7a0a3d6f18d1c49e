import { defineConfig } from 'vitest/config';

/** Makes the package of `npm run package` for this processor, and runs it on a machine without anything else. */
export default defineConfig({
  test: {
    include: ['tests/package/**/*.test.ts'],
    environment: 'node',
    testTimeout: 180_000,
    hookTimeout: 600_000,
  },
});
