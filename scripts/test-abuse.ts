import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:abuse [-- s03]`: attacks on a composed server while another user records (docs/security.md).
await runVitestSuite({
  name: 'abuse',
  args: ['--config', 'tests/abuse/vitest.config.ts', ...process.argv.slice(2)],
});
