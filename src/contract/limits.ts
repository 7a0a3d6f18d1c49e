import { day, hour, minute, second } from '#base/duration.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';

/** Every product constant that browser and server share. docs/specification.md lists them under “Constants”. */
export const limits = {
  maxTakeMs: 24 * hour,
  /**
   * Longer audio is played in sections of this length, because Firefox counts the samples of an Ogg stream in 31
   * bits, which is 12 h 25 min 39 s (decision 0063).
   */
  audioSectionMs: 12 * hour,
  appendSizeBytes: 1024 * 1024,
  bulkBodySizeBytes: 1024 * 1024,
  localCopyRetentionMs: 7 * day,
  /** How long after Stop a take can be continued on its device. */
  continuedWithinMs: 24 * hour,
  trashRetentionMs: 30 * day,
  session: { idleMs: 14 * day, absoluteMs: 30 * day, sharedIdleMs: 30 * minute, sharedAbsoluteMs: 12 * hour },
  heldRequestMs: 15 * minute,
  heldRequests: 100,
  heldBytes: 64 * 1024 * 1024,
  heldWriteConfirmedAfterMs: 2 * minute,
  titleLength: 200,
  displayNameLength: 80,
  emailLength: 254,
  markerLabelLength: 500,
  markersPerRecording: 10_000,
  passagesPerRecording: 50,
  labelsTogether: 1000,
  speakerNameLength: 80,
  peoplePerRecording: 20,
  tagNameLength: 60,
  bulkRecordings: 10_000,
  recordingsPerZip: 1000,
  /** Recordings that are left out of an account export and named in a reply. */
  leftOutNamed: 100,
  noteLength: 20_000,
  notesPerRecording: 2000,
  transcript: {
    correctionLength: 5000,
    correctionsPerRecording: 10_000,
    /** Text of all corrections of a recording. */
    maxTextLength: 8 * 1024 ** 2,
    linesPerPage: 500,
    hits: 500,
    minSpanMs: 200,
  },
  password: { minLength: 15, maxLength: 256 },
  restore: {
    bodySizeBytes: 4 * 1024 * 1024,
    recordingsPerCheck: 100,
    markersPerCall: 1000,
    notesPerCall: 200,
    linesPerCall: 500,
    correctionsPerCall: 200,
  },
  import: {
    maxBytes: 2 * 1024 ** 3,
    nameLength: 255,
    mediaTypeLength: 100,
    trackTitleLength: 200,
    namedTracks: 64,
    filesPerCheck: 500,
    maxMs: maxSoundMs,
  },
  share: {
    perRecording: 100,
    perUser: 5000,
    minMs: second,
    messageLength: 1000,
    labelLength: 80,
    people: 100,
    accessRequests: 100,
    origins: 20,
    originLength: 300,
    listens: 1_000_000,
    expiryDays: 3650,
    /** Of an installation without rules of its own. */
    defaultDays: 30,
    longestDays: 365,
    password: { minLength: 8, maxLength: 256 },
    visitMs: 12 * hour,
  },
  /** Limits of files shared by another app or page before the user decides about importing them. */
  shared: { files: 100, sizeBytes: 4 * 1024 ** 3 },
} as const;

/** Encoder settings of a quality. */
export const qualities = {
  speech: { bitrateBps: 48_000, channels: 1 },
  high: { bitrateBps: 128_000, channels: 2 },
} as const;
export type Quality = keyof typeof qualities;

/** Peaks: one minimum and one maximum (int8 each) per point, a hundred points a second. */
export const peaksFormat = { pointsPerSecond: 100, bytesPerPoint: 2, reduction: 4 } as const;

/**
 * A little more than the longest take's, because peaks are in memory as a whole. A device draws no more for an
 * imported file; longer ones are left to the server.
 */
export const maxPeaksBytes =
  ((limits.maxTakeMs + hour) / second) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint;

/**
 * The upper limit of a take's size: the longest take at twice the highest quality, including peaks. Users may
 * exceed their quota by this, so that a running take can be finished.
 */
export const maxTakeBytes = (limits.maxTakeMs / second) * (qualities.high.bitrateBps / 8) * 2;
