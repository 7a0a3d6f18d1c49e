import type { Gap } from './gaps.ts';

export type PlaybackStatus = 'empty' | 'loading' | 'paused' | 'playing' | 'waiting' | 'ended' | 'failed';

/**
 * `network`: the bytes did not arrive, and are requested again; `rejected`: they are requested again only by a press;
 * `unplayable`: this browser can't decode them.
 */
export type PlaybackFailure = 'network' | 'rejected' | 'unplayable';

/** The audio at one URL, and its place in the track. */
export interface AudioPart {
  url: string;
  startMs: number;
  endMs: number;
  /** The track continues where this audio ends, within the same section. */
  isShort: boolean;
}

/** How to load a track that is longer than some browsers can play as one file. */
export interface TrackSections {
  eachMs: number;
  urlOf(section: number): string;
}

/** The channels of a track that can be heard alone. */
export interface TrackChannels {
  /** One for each channel, in their order; empty for a channel without a name. */
  names: readonly string[];
  /** The file with all channels. */
  url: string;
  /** By how many dB a channel is played quieter than it is in that file. */
  quieterByDb: number;
}

/** A range of the recording, in milliseconds from its start. */
export interface SoundSelection {
  fromMs: number;
  toMs: number;
}

/** The track in the player. */
export interface Track {
  id: string;
  url: string;
  /** Null if the track is loaded as one file. */
  sections: TrackSections | null;
  title: string;
  /** The known duration. If it is 0, the player uses the duration that the element reports. */
  durationMs: number;
  /** More audio is still arriving. */
  growing: boolean;
  /** Absent or null if it has none that can be heard alone. */
  channels?: TrackChannels | null;
  sizeBytes: number;
  /** Missing parts, in time order. */
  gaps: readonly Gap[];
}

export interface PlaybackSnapshot {
  track: Track | null;
  status: PlaybackStatus;
  /** Exact at seeks, pauses and ends; updated ten times per second in between. */
  positionMs: number;
  durationMs: number;
  rate: number;
  /** 0 to 1. */
  volume: number;
  muted: boolean;
  failure: PlaybackFailure | null;
  /** The gap at the position. */
  gap: Gap | null;
  /** The gap that was skipped a moment ago. */
  skippedGap: Gap | null;
  skipsGaps: boolean;
}

/** What is shown of gaps where playback has no rules. */
export const noRules = { gap: null, skippedGap: null, skipsGaps: false };

/** The members of an `<audio>` element that determine the status. */
export interface ElementState {
  paused: boolean;
  ended: boolean;
  readyState: number;
}

/** `HTMLMediaElement.HAVE_METADATA`. */
export const haveMetadata = 1;
const haveFutureData = 3;

/** Derives the status from the element, because only the element knows whether audio is playing. */
export function statusOf(
  element: ElementState,
  facts: { hasTrack: boolean; failed: boolean; recovering: boolean },
): PlaybackStatus {
  if (!facts.hasTrack) return 'empty';
  if (facts.failed) return 'failed';
  if (facts.recovering) return 'waiting';
  if (element.paused && element.readyState < haveMetadata) return 'loading';
  if (element.ended) return 'ended';
  if (element.paused) return 'paused';
  return element.readyState < haveFutureData ? 'waiting' : 'playing';
}

export const clampPosition = (positionMs: number, durationMs: number): number =>
  Math.min(Math.max(0, positionMs), Math.max(0, durationMs));

/** The position within a whole recording, whose audio element may be a packet longer; the given one while it grows. */
export const shownPosition = (
  track: Pick<Track, 'growing'> | null,
  { atMs, durationMs }: { atMs: number; durationMs: number },
): number => (track?.growing === false && durationMs > 0 ? Math.min(atMs, durationMs) : atMs);

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** The next faster or slower speed; the rate itself at either end of the list. */
export function stepRate(rate: number, direction: 1 | -1): number {
  const steps = direction === 1 ? rates : rates.toReversed();
  return steps.find((step) => (step - rate) * direction > 1e-9) ?? rate;
}
