import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { minute } from '#base/duration.ts';
import { runCommand } from './run-command.ts';
import { readClosing } from './summary.ts';

// `npm run test:load [-- --times 3 npm run test:all]`: repeats a command while two processor hogs and one disk hog
// run, as in CI.
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const command = positionals.length > 0 ? positionals : ['npm', 'run', 'test:all'];
const processorHog = 'for (;;);';
const diskHog = `
  const fs = require('node:fs');
  const file = fs.openSync(process.argv[1], 'w');
  const block = Buffer.alloc(1024 * 1024, 1);
  for (let index = 0; ; index += 1) {
    fs.writeSync(file, block, 0, block.length, (index % 256) * block.length);
    if (index % 32 === 0) fs.fsyncSync(file);
  }`;
const directory = mkdtempSync(join(tmpdir(), 'earshot-load-'));
const hogs = [[processorHog], [processorHog], [diskHog, join(directory, 'hog')]].map((args) =>
  spawn(process.execPath, ['-e', ...args], { stdio: 'ignore' }),
);
process.once('exit', () => {
  for (const hog of hogs) hog.kill('SIGKILL');
});
process.env['CI'] ??= 'true';

const results: string[] = [];
let failed = false;
for (let run = 1; run <= Number(values.times); run += 1) {
  const startedMs = performance.now();
  const { output, status } = await runCommand(command, { timeoutMs: 90 * minute });
  const tally = readClosing(output);
  const closing =
    tally === null
      ? `ended with ${status} before its closing line`
      : `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped; ${tally.flaky.length} flaky`;
  results.push(
    `run ${run}: ${closing}; ${((performance.now() - startedMs) / minute).toFixed(1)} min`,
    ...(tally?.flaky ?? []).map((name) => `  flaky: ${name}`),
    ...(tally?.failures ?? []).map((name) => `  failed: ${name}`),
  );
  failed ||= status !== 0;
}
for (const hog of hogs) hog.kill('SIGKILL');
rmSync(directory, { recursive: true, force: true });
console.log(`\nUnder load, \`${command.join(' ')}\`:`);
for (const line of results) console.log(line);
process.exitCode = failed ? 1 : 0;
