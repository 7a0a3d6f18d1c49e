import type { SharedRecording } from '#contract/shares.ts';

/** A shared recording in which everything is shown. */
export const sharedRecording = (change: Partial<SharedRecording> = {}): SharedRecording => ({
  title: 'Ask not what your country can do for you',
  message: 'The part I told you about starts at 0:05.\nTell me what you think.',
  language: 'en',
  owner: 'Anna Berg',
  recordedTime: { kind: 'moment', at: '2026-11-24T16:30:00.000Z', timeZone: 'Europe/Berlin' },
  expiresAt: '2026-12-24T12:00:00.000Z',
  state: 'complete',
  durationMs: 11_000,
  delayMs: 0,
  isCounted: false,
  hasM4a: true,
  downloads: ['ogg', 'mp3'],
  peaksPoints: 1100,
  markers: [
    { atMs: 1500, label: 'Fellow Americans', colour: 'blue' },
    { atMs: 5200, label: '', colour: 'amber' },
  ],
  notes: [{ fromMs: 2000, toMs: null, text: 'First line\nSecond line' }],
  gaps: [{ atMs: 8000, durationMs: 1400, cause: 'device-slept' }],
  offRecord: [],
  isOffRecord: false,
  ...change,
});
