import type { Take } from './take.ts';

/** A take without an owner, before any audio, for tests. */
export const takeFor = (facts: Partial<Take> = {}): Take => ({
  id: 'a',
  title: 'Interview',
  startedAtMs: 0,
  timeZone: 'UTC',
  quality: 'speech',
  deviceLabel: null,
  sampleRateHz: 48_000,
  channels: 1,
  ownerId: null,
  progress: { capturedMs: 0, deviceMs: 0, serverMs: 0 },
  condition: 'unattached',
  safety: 'device',
  markers: [],
  notes: [],
  gaps: [],
  passages: [],
  storageTarget: 'disk',
  alarms: [],
  journal: 'files',
  sourceKind: 'pcm',
  recorderReason: null,
  hasLevel: true,
  microphoneChangeGap: null,
  ...facts,
});
