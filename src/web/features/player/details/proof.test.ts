import { expect, test } from 'vitest';
import type { PlayableSegment } from '#web/features/player/playable-recording.ts';
import { isProven, lastCheckedAt } from './proof.ts';

const segment = (fields: Partial<PlayableSegment> = {}): PlayableSegment => ({
  index: 0,
  startMs: 0,
  durationMs: 1000,
  sizeBytes: 100,
  sha256: 'a'.repeat(64),
  storedAt: '2026-11-20T10:00:00.000Z',
  verifiedAt: null,
  damagedAt: null,
  ...fields,
});
const ready = { state: 'ready', isDamaged: false, hasNoSound: false, segments: [segment()] } as const;

test('counts a recording as complete once the server has a receipt for every part', () => {
  expect(isProven(ready)).toBe(true);
  expect(isProven({ ...ready, segments: [segment(), segment({ index: 1, storedAt: null })] })).toBe(false);
});

test.each([
  { name: 'is still received', change: { state: 'receiving' } },
  { name: 'lies on the device alone', change: { state: 'device', segments: [] } },
  { name: 'is damaged', change: { isDamaged: true } },
  { name: 'has a damaged part', change: { segments: [segment({ damagedAt: '2026-11-21T10:00:00.000Z' })] } },
  { name: 'has no sound', change: { hasNoSound: true } },
] as const)('nothing is said to be complete that $name', ({ change }) => {
  expect(isProven({ ...ready, ...change })).toBe(false);
});

test('dates the check of a recording by the part whose check is oldest', () => {
  const [earlier, later] = ['2026-11-21T10:00:00.000Z', '2026-11-24T10:00:00.000Z'];
  expect(lastCheckedAt([segment({ verifiedAt: later }), segment({ verifiedAt: earlier })])).toBe(earlier);
  expect(lastCheckedAt([segment({ verifiedAt: later }), segment()])).toBeNull();
});
