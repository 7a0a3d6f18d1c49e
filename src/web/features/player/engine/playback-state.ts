import type { Gap } from './gaps.ts';

export type PlaybackStatus = 'empty' | 'loading' | 'paused' | 'playing' | 'waiting' | 'ended' | 'failed';

/** `network`: the bytes did not come; `unplayable`: this browser cannot decode them. */
export type PlaybackFailure = 'network' | 'unplayable';

/** How a track is loaded that is longer than some browsers play in one piece. */
export interface TrackSections {
  eachMs: number;
  urlOf(section: number): string;
}

/** What is in the player. */
export interface Track {
  id: string;
  url: string;
  /** Null where all of it is loaded at once. */
  sections: TrackSections | null;
  title: string;
  /** Known length; the element's own guess is used only where this is 0. */
  durationMs: number;
  /** More audio is still arriving. */
  growing: boolean;
  sizeBytes: number;
  /** What is missing from the sound, in the order of time. */
  gaps: readonly Gap[];
}

export interface PlaybackSnapshot {
  track: Track | null;
  status: PlaybackStatus;
  /** Exact at seeks, pauses and ends; ten times a second in between. */
  positionMs: number;
  durationMs: number;
  rate: number;
  /** 0 to 1. */
  volume: number;
  muted: boolean;
  failure: PlaybackFailure | null;
  /** The gap at the position. */
  gap: Gap | null;
  /** The gap that was jumped over a moment ago. */
  skippedGap: Gap | null;
  skipsGaps: boolean;
}

/** The part of an `<audio>` element that decides what the player is doing. */
export interface ElementState {
  paused: boolean;
  ended: boolean;
  readyState: number;
}

const haveMetadata = 1;
const haveFutureData = 3;

/** Reads the status off the element: it, and no flag of ours, knows whether sound is running. */
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

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** The next speed up or down; the ends stay where they are. */
export function stepRate(rate: number, direction: 1 | -1): number {
  const steps = direction === 1 ? rates : rates.toReversed();
  return steps.find((step) => (step - rate) * direction > 1e-9) ?? rate;
}
