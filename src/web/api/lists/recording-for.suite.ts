import type { Recording } from '#contract/recordings.ts';

/** A finished recording as the server lists it, for tests of lists. */
export const recordingFor = (id: string, facts: Partial<Recording> = {}): Recording => ({
  id, title: 'Seminar', language: null, recordedTime: { kind: 'moment', at: '2026-11-20T14:02:00.000Z', timeZone: 'Europe/Warsaw' }, startedAt: '2026-11-20T14:02:00.000Z', timeZone: 'Europe/Warsaw', durationMs: 60_000, state: 'ready',
  format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 }, sizeBytes: 1, sha256: null, source: 'microphone', file: null, rendition: 'none', deviceLabel: null,
  peaksPoints: 6000, overview: null, markerCount: 2, people: [], tagIds: [], isFavourite: false, damagedAt: null, createdAt: '2026-11-20T14:02:00.000Z', updatedAt: '2026-11-20T14:02:00.000Z', deletedAt: null, ...facts,
});
