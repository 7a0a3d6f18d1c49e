import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { Marker } from '#contract/markers-api.ts';
import type { AudioTrack, GapCause, HistoryEntry, RecordingDetails } from '#contract/recordings.ts';
import type { RecordingState } from '#device/takes/recording-state.ts';
import type { TrackSections } from './engine/playback-state.ts';
import type { PeaksSource } from './peaks/peaks-source.ts';

type PlayableState = 'receiving' | 'finishing' | 'ready' | 'abandoned' | 'failed' | 'device';

export type MarkerColour = Marker['colour'];

/** On this device markers have no colour yet. */
export interface PlayableMarker {
  id: string;
  atMs: number;
  label: string;
  colour?: MarkerColour;
}
/** What of a marker is changed. */
export type MarkerFields = Partial<Pick<Marker, 'label' | 'atMs' | 'colour'>>;
export interface PlayableGap {
  atMs: number;
  durationMs: number;
  cause: GapCause;
}

/** What the server has written down of one piece of the recording. */
export interface PlayableSegment {
  index: number;
  startMs: number;
  durationMs: number;
  sizeBytes: number;
  sha256: string | null;
  /** When it was received whole: the moment of the receipt. */
  storedAt: string | null;
  /** When it was last read and hashed again. */
  verifiedAt: string | null;
  damagedAt: string | null;
}

/** All that the player shows of a recording, wherever it lies. */
export interface PlayableRecording {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  isFavourite: boolean;
  /** Spoken language, BCP 47. */
  language: string | null;
  durationMs: number;
  state: PlayableState;
  /** What the screen says about where it is. */
  shownState: RecordingState;
  format: { codec: string; sampleRateHz: number; channels: number };
  sizeBytes: number;
  sha256: string | null;
  /** The server's receipts; empty for a take on this device. */
  segments: readonly PlayableSegment[];
  /** Sound that is there: the length without the gaps. */
  storedMs: number;
  /** Set when what the server stores no longer has the hash of its receipt. */
  isDamaged: boolean;
  /** Of an imported file with several tracks of sound; else empty. */
  audioTracks: readonly AudioTrack[];
  /** Until when this device keeps a copy of what the server has; null where there is none. */
  copyHereUntilMs: number | null;
  /** Some of the sound cannot be heard until the server has made it ready: silence stands for it. */
  isPartlySilent: boolean;
  /** The server found no sound in the imported file: it can be downloaded, not played. */
  hasNoSound: boolean;
  /**
   * Why an imported file cannot be heard, or not everywhere; null where nothing is wrong, or the reason is
   * not known yet.
   */
  failureReason: RecordingDetails['failureReason'];
  deviceLabel: string | null;
  /** What was changed after it was finished; empty for a take on this device. */
  history: readonly HistoryEntry[];
  gaps: readonly PlayableGap[];
  markers: readonly PlayableMarker[];
  /** Of a take on this device; the server lists the notes of its recordings itself. */
  notesHere?: readonly { id: string; atMs: number; text: string }[] | undefined;
  /** What the `<audio>` element loads. */
  audioUrl: string;
  /**
   * How it is loaded where it is longer than some browsers play in one piece; null where all of it is loaded
   * at once.
   */
  audioSections: TrackSections | null;
  /**
   * The same as a file, where it lies on this device: the page's policy lets nothing fetch it by its address.
   */
  audioFile: Blob | null;
  peaks: PeaksSource;
}

/** What can be done to it; an action that is missing is not offered. */
export interface PlayableActions {
  rename?: (title: string) => void;
  changeTime?: (time: RecordedTime) => void;
  toggleFavourite?: () => void;
  moveToTrash?: () => void;
  /** Records on, after a gap: of a take of this device that was stopped within a day. */
  continueRecording?: () => void;
  /** Gives back the id of the new marker. */
  addMarker?: (atMs: number) => string;
  /** Changes all there is to a marker; where it is missing, `renameMarker` may be there. */
  changeMarker?: (marker: PlayableMarker, fields: MarkerFields) => void;
  renameMarker?: (marker: PlayableMarker, label: string) => void;
  removeMarker?: (marker: PlayableMarker) => void;
}

/** A recording to which audio is still being added. */
export const isGrowing = ({ state }: Pick<PlayableRecording, 'state'>): boolean => state === 'receiving';
