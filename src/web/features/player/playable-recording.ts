import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { Marker } from '#contract/markers-api.ts';
import type { Passage } from '#contract/passages-api.ts';
import type { AudioTrack, GapCause, HistoryEntry, Pause, RecordingDetails } from '#contract/recordings.ts';
import type { RecordingState } from '#device/takes/recording-state.ts';
import type { TrackChannels, TrackSections } from '#playback/playback-state.ts';
import type { PeaksSource } from './peaks/peaks-source.ts';

type PlayableState = 'receiving' | 'finishing' | 'ready' | 'abandoned' | 'failed' | 'device';

export type MarkerColour = Marker['colour'];

/** Markers of takes on this device have no colour yet. */
export interface PlayableMarker {
  id: string;
  atMs: number;
  label: string;
  colour?: MarkerColour;
}
/** The fields of a marker that a change may set. */
export type MarkerFields = Partial<Pick<Marker, 'label' | 'atMs' | 'colour'>>;
export interface PlayableGap {
  atMs: number;
  durationMs: number;
  cause: GapCause;
  /** Sound that is missing at `atMs` and takes no time. */
  cutMs?: number | undefined;
}
/** Where the user paused the recording, or stopped and continued it. A break takes no time in the recording. */
export type PlayableBreak = Pause;

/** The server's receipt for one part of the recording. */
export interface PlayableSegment {
  index: number;
  startMs: number;
  durationMs: number;
  sizeBytes: number;
  sha256: string | null;
  /** When the part was fully received: the time of the receipt. */
  storedAt: string | null;
  /** When the part was last read and hashed again. */
  verifiedAt: string | null;
  damagedAt: string | null;
}

/** Everything the player shows of a recording, from the server or this device. */
export interface PlayableRecording {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  isFavourite: boolean;
  /** Spoken language, BCP 47. */
  language: string | null;
  durationMs: number;
  state: PlayableState;
  /** The state to display. */
  shownState: RecordingState;
  format: { codec: string; sampleRateHz: number; channels: number };
  sizeBytes: number;
  sha256: string | null;
  /** The server's receipts; empty for a take on this device. */
  segments: readonly PlayableSegment[];
  /** Length of the stored audio: the duration without the gaps. */
  storedMs: number;
  /** For how long the microphone delivered silence, which is part of the stored audio; null if nothing measured it. */
  microphoneSilenceMs: number | null;
  /** Set if the stored audio no longer matches the hash of its receipt. */
  isDamaged: boolean;
  /** Set for an imported file with several audio tracks; otherwise empty. */
  audioTracks: readonly AudioTrack[];
  /** The channels of an imported file that can be heard alone; null if there are none. */
  channels: TrackChannels | null;
  /** By how many dB an imported file is played quieter than it is; null if that is unknown. */
  quieterByDb: number | null;
  /** Until when this device stores a copy of the server's recording; null without a copy. */
  copyHereUntilMs: number | null;
  /** Some audio can't be played until the server has processed it, and is replaced by silence. */
  isPartlySilent: boolean;
  /** The server waits for the rest of an imported file. */
  isIncompleteImport: boolean;
  /** The server found no audio in the imported file: it can be downloaded but not played. */
  hasNoSound: boolean;
  /** Why an imported file can't be played, fully or partly; null if it can, or if the reason is not known yet. */
  failureReason: RecordingDetails['failureReason'];
  deviceLabel: string | null;
  /** Changes made after the recording was finished; empty for a take on this device. */
  history: readonly HistoryEntry[];
  gaps: readonly PlayableGap[];
  breaks: readonly PlayableBreak[];
  /** The passages that are off the record; empty for a take on this device. */
  passages: readonly Passage[];
  markers: readonly PlayableMarker[];
  /** Set for a take on this device; notes of server recordings are loaded separately. */
  notesHere?: readonly { id: string; atMs: number; text: string }[] | undefined;
  /** The URL that the `<audio>` element loads. */
  audioUrl: string;
  /**
   * Sections of a recording that is longer than some browsers can play as one file; null if it is loaded as one
   * file.
   */
  audioSections: TrackSections | null;
  /**
   * The audio as a file, if it is on this device. The page's content security policy forbids fetching it by its
   * URL.
   */
  audioFile: Blob | null;
  peaks: PeaksSource;
}

/** The available actions; an action that is undefined is not offered. */
export interface PlayableActions {
  rename?: (title: string) => void;
  changeTime?: (time: RecordedTime) => void;
  toggleFavourite?: () => void;
  moveToTrash?: () => void;
  /** Shares the recording, or a part of it; for a recording on the server. Called during the press. */
  share?: (span: { fromMs: number; toMs: number } | null) => void;
  /** Resumes recording after a gap; for a take on this device that was stopped within the last day. */
  continueRecording?: () => void;
  /** Returns the id of the new marker. */
  addMarker?: (atMs: number) => string;
  /** Changes any field of a marker. If undefined, `renameMarker` may still be available. */
  changeMarker?: (marker: PlayableMarker, fields: MarkerFields) => void;
  renameMarker?: (marker: PlayableMarker, label: string) => void;
  removeMarker?: (marker: PlayableMarker) => void;
}

/** Whether audio is still being added to the recording. */
export const isGrowing = ({ state }: Pick<PlayableRecording, 'state'>): boolean => state === 'receiving';
