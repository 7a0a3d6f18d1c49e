import { runVitestSuite } from './vitest-suite.ts';

// `npm run test:coverage`: the unit and integration tests with V8 coverage of `src/`, on PostgreSQL too if it is
// installed.
await runVitestSuite({ name: 'coverage', args: ['--coverage', ...process.argv.slice(2)] });
