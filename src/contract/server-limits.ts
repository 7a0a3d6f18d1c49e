import { day, hour, minute } from '#base/duration.ts';

/**
 * Constants that no page reads, separate from `limits` so that the first screen does not load them.
 * docs/specification.md lists them under “Constants”.
 */
export const serverLimits = {
  appendIntervalMs: 500,
  /** Peaks can be made again from the sound, so they are sent in fewer requests. */
  peaksIntervalMs: 2500,
  jsonBodySizeBytes: 256 * 1024,
  /** Audio and peaks of five hundred segments: a device that was offline uploads all of its segments in parallel. */
  openUploadsPerTake: 1000,
  abandonedAfterMs: 24 * hour,
  /** An unfinished recording without any bytes is deleted after this time without a change. */
  emptyRetentionMs: 30 * day,
  /** How long the server reopens a finished take: a device may continue it offline and report it days later. */
  reopenedWithinMs: 8 * day,
  uploadCapabilityMs: 24 * hour + 7 * day,
  reauthenticationMs: 10 * minute,
  page: { size: 50, maxSize: 200 },
  tagsPerRecording: 100,
  tags: 1000,
  savedViews: 200,
  viewQueryLength: 4000,
  cursorLength: 12_000,
  /** Limits of the search hit in a list. */
  hit: { textLength: 140, ranges: 8 },
  chosenRecordings: 100_000,
  takesInProgress: 50,
  /**
   * Responses with sound that listeners of one link have open, as many with events, and as many with texts. Those of a
   * network are one listener's, but texts are read by everyone of an office who opens a page at the same moment.
   */
  share: { streams: 300, streamsPerNetwork: 6, textsPerNetwork: 30 },
  /** Notes and marker labels in UTF-8: the transcript of a day in any script is smaller. */
  textBytesPerRecording: 8 * 1024 * 1024,
  textBytesPerUser: 256 * 1024 * 1024,
  /** What an import takes of a transcript; an export has no more text. */
  transcript: { lineLength: 2000, linesPerRecording: 200_000, maxTextLength: 8 * 1024 ** 2 },
} as const;
