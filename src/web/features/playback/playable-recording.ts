import type { PeaksSource } from './peaks/peaks-source.ts';

export type PlayableState = 'receiving' | 'finishing' | 'ready' | 'abandoned' | 'failed' | 'device' | 'syncing';

export interface PlayableMarker { id: string; atMs: number; label: string }
interface PlayableGap { atMs: number; durationMs: number; cause: string }

/** All that the player shows of a recording, wherever it lies. */
export interface PlayableRecording {
  id: string;
  title: string;
  startedAtMs: number;
  /** IANA zone the recording was made in. */
  timeZone: string;
  /** Spoken language, BCP 47. */
  language: string | null;
  durationMs: number;
  state: PlayableState;
  format: { codec: string; sampleRateHz: number; channels: number };
  sizeBytes: number;
  sha256: string | null;
  segments: number;
  deviceLabel: string | null;
  gaps: readonly PlayableGap[];
  markers: readonly PlayableMarker[];
  /** What the `<audio>` element loads. */
  audioUrl: string;
  downloadUrl: string;
  peaks: PeaksSource;
}

/** What can be done to it; an action that is missing is not offered. */
export interface PlayableActions {
  rename?: (title: string) => void;
  moveToTrash?: () => void;
  addMarker?: (atMs: number) => void;
  renameMarker?: (marker: PlayableMarker, label: string) => void;
  removeMarker?: (marker: PlayableMarker) => void;
}

/** A recording to which audio is still being added. */
export const isGrowing = ({ state }: Pick<PlayableRecording, 'state'>): boolean => state === 'receiving';
