import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processorMsOf, readFileTimes } from './processor-times.ts';

test('the processor time of a process grows while it computes', ({ skip }) => {
  const beforeMs = processorMsOf('self') ?? skip('this system does not tell it');
  while ((processorMsOf('self') ?? 0) < beforeMs + 50);
  expect(processorMsOf('self')).toBeGreaterThan(beforeMs);
});

test('the processor time of a process that does not exist is unknown', () => {
  expect(processorMsOf(2 ** 22 + 1)).toBeNull();
});

test('a file that ran twice has the sum of both times', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-times-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'times.jsonl');
  const line = (file: string, processorMs: number) => `${JSON.stringify({ file, processorMs, wallMs: 7 })}\n`;
  writeFileSync(path, line('a', 10) + line('b', 20) + line('a', 30));
  expect(readFileTimes(path)).toEqual([
    { file: 'a', processorMs: 40, wallMs: 14 },
    { file: 'b', processorMs: 20, wallMs: 7 },
  ]);
});
