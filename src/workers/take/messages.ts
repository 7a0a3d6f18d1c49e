import type { Gap, GapCause, UploadCapability } from '#contract/recordings.ts';
import type { Receipt } from '#contract/uploads-api.ts';
import type { Quality } from '#contract/limits.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { TakeMarker, TakeNote } from '#device/takes/take-record.ts';
import type { JournalKind } from '#workers/take/journal/stream-journal.ts';

/**
 * Where PCM comes out: the track itself where a browser lets it be read (Chromium), else the worklet's port
 * of `PcmBlock`s.
 */
export type PcmFeed = ReadableStream<AudioData> | MessagePort;

/** How one source of sound speaks: a segment keeps to one format. */
export interface CaptureFormat {
  /** What its blocks come at: 44,100 or 48,000. */
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
}

/** Messages from the page. One worker serves one take, from start or recovery to receipt. */
export type ToTakeWorker =
  | { type: 'start'; take: NewTake; source: CaptureSource }
  /**
   * Takes over a take that was stopped or whose page is gone; with a source it continues in a new segment
   * after a gap `stopped` or `page-killed`.
   */
  | { type: 'recover'; takeId: string; source?: CaptureSource }
  /** No sound comes any more, and why: the open segment is closed, the clock of the gap runs. */
  | { type: 'interrupt'; cause: GapCause }
  /**
   * Sound comes from here now, in a new segment; also while the old source still runs (a switch of
   * microphones).
   */
  | { type: 'continue'; source: CaptureSource; cause: GapCause }
  /**
   * One piece of what MediaRecorder wrote, in order; only for a source of that kind. `isLast` ends its file.
   */
  | { type: 'chunk'; bytes: ArrayBuffer; isLast: boolean }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'stop' }
  /** `backMs`: how far before this moment, because users press after the words that they mark. */
  | { type: 'add-marker'; markerId: string; label: string; backMs: number }
  | { type: 'rename-marker'; markerId: string; label: string }
  | { type: 'remove-marker'; markerId: string }
  /** A note without text, at this moment unless `atMs` names another one; its text follows with every key. */
  | { type: 'add-note'; noteId: string; atMs?: number }
  | { type: 'write-note'; noteId: string; text: string }
  | { type: 'remove-note'; noteId: string }
  | { type: 'rename'; title: string }
  /** The take has an owner and a right to upload; sent again whenever a fresh capability was fetched. */
  | { type: 'attach'; ownerId: string; upload: UploadCapability }
  /** The server has finished this take and takes no more of it; this is what it holds. */
  | ({ type: 'stored'; ownerId: string } & StoredTake)
  /** Network is back or the page became visible: try now instead of waiting for the back-off. */
  | { type: 'nudge' };

/** The server's copy of a take that it has finished. */
export interface StoredTake {
  durationMs: number;
  receipts: readonly Receipt[];
}

/**
 * Where sound comes from. `pcm`: blocks of PCM, encoded here. `media-recorder`: the browser's own recorder
 * writes a file of this container, which is kept as it comes; blocks of PCM, where a worklet runs, serve the
 * meter and the peaks.
 */
export type CaptureSource = CaptureFormat &
  (
    | { kind: 'pcm'; pcm: PcmFeed }
    | { kind: 'media-recorder'; pcm: PcmFeed | null; container: 'ogg' | 'webm' | 'mp4' }
  );

export interface NewTake {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  quality: Quality;
  deviceLabel: string | null;
  /** What the audio context runs at: 44,100 or 48,000. */
  sampleRateHz: number;
  channels: number;
  /** Who is signed in, or null: then the take stays on this device until someone signs in. */
  ownerId: string | null;
}

/** Where the take's bytes are; `serverMs ≤ deviceMs ≤ capturedMs`. */
export interface TakeProgress {
  capturedMs: number;
  /** Flushed to this device's disk. */
  deviceMs: number;
  /** Acknowledged, durable, by the server. */
  serverMs: number;
}

/**
 * Where new sound is kept: `memory` when the device is full, until it is on the server; `nowhere` when memory
 * is full too.
 */
export type StorageTarget = 'disk' | 'memory' | 'nowhere';

export type Alarm = 'silence' | 'clipping';

export type FailureCode =
  | 'storage-refused'
  | 'storage-full'
  | 'encoder-missing'
  | 'not-found'
  | 'locked'
  | 'internal';

/** Messages to the page. */
export type FromTakeWorker =
  /**
   * `database`: this window has no files (a private one): the take is in IndexedDB alone and gone with the
   * window. `memory`: this browser refuses storage: what the server does not have is in this worker's memory
   * alone and gone with the page.
   */
  | { type: 'started'; takeId: string; journal: JournalKind }
  /**
   * About 15 times a second while recording. `points` are the new peaks since the last message: min, max,
   * min, max…
   */
  | { type: 'level'; peak: number; rms: number; clipped: boolean; points: Int8Array }
  | { type: 'progress'; progress: TakeProgress; condition: UploadCondition; storageTarget: StorageTarget }
  /** All gaps so far, whenever one was named. */
  | { type: 'gaps'; gaps: Gap[] }
  /** No PCM arrived for a second without an event: the page should open the microphone again. */
  | { type: 'capture-stalled' }
  /** The first sound of a new source has come: an interruption is over. */
  | { type: 'continued' }
  /** `silence`: no sound for ten seconds. `clipping`: much of the sound is too loud. */
  | { type: 'alarm'; alarm: Alarm; isOn: boolean }
  | { type: 'markers'; markers: TakeMarker[] }
  | { type: 'notes'; notes: TakeNote[] }
  /**
   * The worker has bytes to send and no capability that the server accepts. `goesOn`: the take goes on after
   * it was stopped, so the server may have to reopen it.
   */
  | { type: 'attach-needed'; takeId: string; reason: 'none' | 'rejected'; goesOn: boolean }
  /** The server has finished this take and holds less of it than this device: the take stays here. */
  | { type: 'unsendable'; takeId: string }
  /** The journal is closed: the take is whole on this device. */
  | { type: 'stopped'; takeId: string; durationMs: number }
  /** The server has confirmed every byte and knows that the take is finished. */
  | { type: 'receipt'; takeId: string; durationMs: number }
  | { type: 'failed'; takeId: string; code: FailureCode; detail: string };
