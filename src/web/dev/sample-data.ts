import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { minute, second } from '#base/duration.ts';
import { stateMessages } from '#web/recordings/state/state-messages.ts';
import type { RecordingState } from '#device/takes/recording-state.ts';
import type { LibraryItem } from '#web/features/library/list/library-items.ts';
import type { Tag } from '#contract/library-api.ts';
import { createLivePeaks } from '#web/features/recorder/live/live-peaks.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import type { Playhead } from '#web/features/player/waveform/waveform.ts';

/** A title with two scripts that is longer than any line. */
export const longTitle =
  'Gespräch mit Frau Dr. Al-Haddad (مقابلة) über die Donaudampfschifffahrtsgesellschaft, zweiter Teil ';

export const waveLengthMs = 30 * second;
const pointsPerSecond = 100;

/** The loudness of simulated speech, 0–1: words, pauses, sentences. */
const loudness = (point: number): number =>
  Math.abs(Math.sin(point / 7) * Math.sin(point / 31) * Math.sin(point / 173)) *
  (Math.sin(point / 97) > -0.6 ? 1 : 0.08);

const points = Int8Array.from({ length: (waveLengthMs / second) * pointsPerSecond * 2 }, (_, i) =>
  Math.round(loudness(i >> 1) * (i % 2 === 0 ? -120 : 120)),
);

/** Half a minute in a single tile. */
export const samplePeaks: PeaksSource = {
  key: 'sample',
  layout: () =>
    Promise.resolve({ points: points.length / 2, levels: [{ points: points.length / 2, pointsPerSecond }] }),
  tile: () => Promise.resolve(points),
  finest: ({ from, to }) => Promise.resolve(points.slice(from * 2, to * 2)),
};

/** A take of half a minute with a gap, as the recorder draws it. */
export const sampleLive = createLivePeaks();
sampleLive.push(points);
sampleLive.markGaps([{ atMs: 26 * second, durationMs: second, cause: 'unknown' }]);

/** A third of the way, not playing. */
export const stillPlayhead: Playhead = {
  positionMs: () => 10 * second,
  seek: () => undefined,
  subscribe: () => () => undefined,
  isRunning: () => false,
};

const states = Object.keys(stateMessages) as RecordingState[];
const onDevice: ReadonlySet<RecordingState> = new Set([
  'device',
  'uploading',
  'waiting',
  'sign-in-needed',
  'server-full',
  'over-quota',
  'memory',
  'recording-here',
]);
const overview = btoa(
  String.fromCharCode(...Array.from({ length: 96 }, (_, i) => Math.round(loudness(i * 11) * 127))),
);

/** Tags of every colour. */
export const sampleTags: ReadonlyMap<string, Tag> = new Map(
  (['blue', 'green', 'amber', 'violet', 'grey'] as const).map((colour) => [
    colour,
    { id: colour, name: colour, colour },
  ]),
);

/** A time of every kind. */
const sampleTimes: readonly RecordedTime[] = [
  momentOf('2026-05-03T09:30:00.000Z', 'Asia/Kolkata'),
  { kind: 'local', dateTime: '2024-05-17T14:03:05' },
  { kind: 'date', date: '1961-01-20' },
  { kind: 'date', date: '1962-08' },
  { kind: 'date', date: '1962' },
  unknownTime,
];

/** A row in every state. */
export const sampleRows: readonly LibraryItem[] = states.map((state, i) => ({
  id: `sample-${i}`,
  title: i === 0 ? longTitle : 'Morning walk',
  recordedTime: sampleTimes[i % sampleTimes.length] ?? unknownTime,
  durationMs: (i * 7 + 1) * minute,
  state,
  language: null,
  people: [],
  tagIds: [...sampleTags.keys()].slice(0, i),
  isFavourite: i % 3 === 1,
  markers: i % 3,
  overview,
  isOnServer: !onDevice.has(state),
  isAhead: false,
  isDamaged: state === 'damaged',
  isUnavailable: false,
  isAway: false,
  hit: null,
}));
