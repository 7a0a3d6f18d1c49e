import { expect, it } from 'vitest';
import { day, hour } from '#base/duration.ts';
import type { BackupManifest } from './format/manifest.ts';
import { retainedIds } from './retention.ts';

const mondayMs = Date.UTC(2026, 10, 23);

const snapshot = (startedAtMs: number): BackupManifest => ({
  format: 1,
  id: new Date(startedAtMs).toISOString(),
  version: '1.0.0',
  startedAtMs,
  endedAtMs: startedAtMs,
  migrations: ['0001'],
  keyFingerprint: null,
  hasKey: false,
  tables: [],
  blobs: { count: 0, sizeBytes: 0, damagedCount: 0, file: { sizeBytes: 0, sha256: '' } },
  copied: { count: 0, sizeBytes: 0 },
});

it('retains the newest backup of each day and week', () => {
  const everySixHours = Array.from({ length: 160 }, (_, index) =>
    snapshot(mondayMs + 3 * day - index * 6 * hour),
  );
  expect([...retainedIds(everySixHours, { daily: 3, weekly: 3 })].sort()).toEqual([
    '2026-11-15T18:00:00.000Z',
    '2026-11-22T18:00:00.000Z',
    '2026-11-24T18:00:00.000Z',
    '2026-11-25T18:00:00.000Z',
    '2026-11-26T00:00:00.000Z',
  ]);
});

it('never deletes the newest backup, and counts only days that have one', () => {
  const rare = [snapshot(mondayMs), snapshot(mondayMs - 30 * day), snapshot(mondayMs - 90 * day)];
  expect(retainedIds(rare, { daily: 0, weekly: 0 }).size).toBe(1);
  expect(retainedIds(rare, { daily: 2, weekly: 0 }).size).toBe(2);
});
