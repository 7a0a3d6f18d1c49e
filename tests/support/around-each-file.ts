import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { processorMsOf, timesVariable, type FileTime } from '#scripts/processor-times.ts';

// A setup file of vitest, which runs before each test file. In a process that several files share, it removes what the
// file before has left behind, and notes the processor time of each file and of the processes that it started. What a
// file loads first counts for that file.

vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
vi.resetModules();

const timesFile = process.env[timesVariable];
if (timesFile !== undefined) {
  const shared = globalThis as { usedBeforeMs?: number };
  const startedAtMs = process.uptime() * 1000;
  afterAll(() => {
    const usedMs = processorMsOf('self');
    if (usedMs === null) return;
    const time: FileTime = {
      file: relative(process.cwd(), expect.getState().testPath ?? ''),
      processorMs: usedMs - (shared.usedBeforeMs ?? 0),
      wallMs: Math.round(process.uptime() * 1000 - startedAtMs),
    };
    shared.usedBeforeMs = usedMs;
    appendFileSync(timesFile, `${JSON.stringify(time)}\n`);
  });
}
