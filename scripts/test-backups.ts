import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:backups`: backups of real servers while takes are recorded, killed and restored (docs/testing.md).
await runVitestSuite({
  name: 'backups',
  args: ['--config', 'tests/backups/vitest.config.ts', ...process.argv.slice(2)],
});
