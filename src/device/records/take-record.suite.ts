import type { TakeRecord } from './take-record.ts';

/** A take without an owner, whose first sound is still to come, for tests. */
export const takeRecordFor = (facts: Partial<TakeRecord> = {}): TakeRecord => ({
  id: 'take',
  ownerId: null,
  title: 'a take',
  startedAtMs: 0,
  timeZone: 'UTC',
  quality: 'speech',
  deviceLabel: null,
  sampleRateHz: 48_000,
  channels: 1,
  state: 'recording',
  segments: [],
  markers: [],
  gaps: [],
  pauses: [],
  durationMs: 0,
  sizeBytes: 0,
  upload: null,
  receiptAtMs: null,
  deletedAtMs: null,
  updatedAtMs: 0,
  ...facts,
});
