import { spawnSync } from 'node:child_process';

/** Everything that can be known without running the product, in the order in which a mistake is cheapest to read. */
export const checks: { name: string; command: string[] }[] = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['oxlint', '--type-aware', 'src', 'tests', 'scripts', 'bench'] },
  { name: 'styles', command: ['stylelint', 'src/**/*.css'] },
  { name: 'imports', command: ['depcruise', 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'duplicates', command: ['jscpd', 'src', '--config', '.jscpd.json'] },
  { name: 'structure', command: ['node', 'scripts/structure.ts'] },
  { name: 'languages', command: ['node', 'scripts/catalogue/catalogue-gate.ts'] },
  { name: 'text in code', command: ['node', 'scripts/catalogue/hardcoded-text.ts'] },
];

/** Runs every check, says of each how it went, and answers with the names of those that failed. */
export function runChecks(): string[] {
  return checks.filter(({ name, command: [program = '', ...args] }) => {
    const startedMs = performance.now();
    const result = spawnSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
    const ok = result.status === 0;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${Math.round(performance.now() - startedMs)} ms)`);
    if (!ok) console.log(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`);
    return !ok;
  }).map(({ name }) => name);
}

if (import.meta.main) process.exitCode = runChecks().length > 0 ? 1 : 0;
