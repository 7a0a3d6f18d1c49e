import { expect, test, vi } from 'vitest';
import type { Gap } from '#contract/recordings.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { GapLog, TakeRecordWriter } from './take-record-writer.ts';

vi.mock('#device/takes/takes-store.ts', () => ({ changeTake: async () => undefined }));

function logged(gaps: readonly Gap[]): Gap[] {
  const writer = new TakeRecordWriter({ ...takeRecordFor(), gaps: [] }, { isStored: false });
  const log = new GapLog(writer, () => undefined);
  for (const gap of gaps) log.add(gap);
  return log.all;
}

const busy = { cause: 'browser-busy' } as const;

test('merges gaps with the same cause that follow each other, and losses at the same place', () => {
  expect(
    logged([
      { ...busy, atMs: 0, durationMs: 40 },
      { ...busy, atMs: 40, durationMs: 20 },
      { ...busy, atMs: 500, durationMs: 0, cutMs: 60 },
      { ...busy, atMs: 500, durationMs: 0, cutMs: 70 },
    ]),
  ).toEqual([
    { ...busy, atMs: 0, durationMs: 60 },
    { ...busy, atMs: 500, durationMs: 0, cutMs: 130 },
  ]);
});

test('tells silence from a loss that takes no time, also where they touch', () => {
  const gaps = [
    { ...busy, atMs: 0, durationMs: 40 },
    { ...busy, atMs: 40, durationMs: 0, cutMs: 60 },
    { ...busy, atMs: 40, durationMs: 30 },
  ];
  expect(logged(gaps)).toEqual(gaps);
});
