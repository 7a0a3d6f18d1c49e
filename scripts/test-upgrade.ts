import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:upgrade`: data and servers of earlier versions with those of this one (docs/testing.md).
await runVitestSuite({
  name: 'upgrade',
  args: ['--config', 'tests/upgrade/vitest.config.ts', ...process.argv.slice(2)],
});
