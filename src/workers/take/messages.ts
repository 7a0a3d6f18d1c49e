import type { Level } from '#audio/level-meter.ts';
import type { Gap, GapCause, UploadCapability } from '#contract/recordings.ts';
import type { Receipt } from '#contract/uploads-api.ts';
import type { Quality } from '#contract/limits.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { Rejection, StoredNote, TakeMarker, TakePassage } from '#device/records/take-record.ts';
import type { TakeJournal } from '#workers/take/journal/stream-journal.ts';

/**
 * Where PCM arrives: the track itself in a browser that can read it in a worker (Chromium), otherwise the
 * worklet's port with `PcmBlock`s.
 */
export type PcmFeed = ReadableStream<AudioData> | MessagePort;

/** The format of a source of sound. It never changes within a segment. */
export interface CaptureFormat {
  /** Sample rate of its blocks: 44,100 or 48,000. */
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
}

/** Messages from the page. One worker serves one take, from start or recovery to receipt. */
export type ToTakeWorker =
  | { type: 'start'; take: NewTake; source: CaptureSource }
  /**
   * Takes over a take that was stopped or whose page is gone. With a source it continues in a new segment after a
   * gap `stopped` or `page-killed`.
   */
  | { type: 'recover'; takeId: string; source?: CaptureSource }
  /** The sound has stopped: closes the open segment and starts a gap with this cause. */
  | { type: 'interrupt'; cause: GapCause }
  /**
   * Sound now comes from this source, in a new segment; also sent while the old source still runs (a switch of
   * microphones).
   */
  | { type: 'continue'; source: CaptureSource; cause: GapCause }
  /** One piece of a MediaRecorder file, in order; only for a source of that kind. */
  | ({ type: 'chunk'; bytes: ArrayBuffer } & RecorderChunk)
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'stop' }
  /** `backMs`: how far before the present the marker is set, because users press after the words that they mark. */
  | { type: 'add-marker'; markerId: string; label: string; backMs: number }
  | { type: 'rename-marker'; markerId: string; label: string }
  | { type: 'remove-marker'; markerId: string }
  /** Adds an empty note, at `atMs` or at the present; `write-note` follows with every keystroke. */
  | { type: 'add-note'; noteId: string; atMs?: number }
  | { type: 'write-note'; noteId: string; text: string }
  | { type: 'remove-note'; noteId: string }
  /** Removes a note that has no text. The page does not decide that, because it may not know the last text yet. */
  | { type: 'close-note'; noteId: string }
  /** From the present on the take is off the record, or on it again. */
  | { type: 'start-passage' | 'end-passage'; passageId: string }
  | { type: 'rename'; title: string }
  /** The take has an owner and a capability; sent again whenever a new capability was fetched. */
  | { type: 'attach'; ownerId: string; upload: UploadCapability }
  /** The server has finished this take and accepts no more data; this is its copy. */
  | ({ type: 'stored'; ownerId: string } & StoredTake)
  /** The network is back or the page became visible: retry now instead of waiting for the back-off. */
  | { type: 'nudge' };

/** Which recorder a piece belongs to, and whether it ends its file. */
interface RecorderChunk {
  recorderId: number;
  isLast: boolean;
  /**
   * When the recorder delivered the piece, with the last one when it was stopped or paused: milliseconds of the Unix
   * epoch by the monotonic clock (`performance.timeOrigin + performance.now()`).
   */
  atMs: number;
}

/** The server's copy of a take that it has finished. */
export interface StoredTake {
  durationMs: number;
  receipts: readonly Receipt[];
}

/**
 * Why MediaRecorder writes the file. `output-pending`: the audio context has not started, which in some browsers
 * waits for the sound output. `unsupported`: this browser can't encode Opus, or delivers no PCM.
 */
export type RecorderReason = 'output-pending' | 'unsupported';

/**
 * A source of sound. `pcm`: blocks of PCM, encoded here; `first` is the first block of a track, which had to be read
 * to learn its rate. `media-recorder`: MediaRecorder writes a file of this container, which is stored unchanged;
 * PCM, if a worklet runs, only feeds the meter and the peaks.
 */
export type CaptureSource = CaptureFormat &
  (
    | {
        kind: 'pcm';
        pcm: PcmFeed;
        first?: AudioData;
        /** Whether this browser puts zeros in the place of sound that it loses. */
        fillsLossWithZeros?: boolean;
      }
    | {
        kind: 'media-recorder';
        pcm: PcmFeed | null;
        container: 'ogg' | 'webm' | 'mp4';
        /** Different for every recorder of a page. */
        recorderId: number;
        /** When the recorder was started, as `atMs` of its pieces. */
        startedAtMs: number;
        reason: RecorderReason;
      }
  );

export interface NewTake {
  id: string;
  title: string;
  startedAtMs: number;
  timeZone: string;
  quality: Quality;
  deviceLabel: string | null;
  /** Sample rate of the audio context: 44,100 or 48,000. */
  sampleRateHz: number;
  channels: number;
  /** The signed-in user, or null: then the take stays on this device until a user signs in. */
  ownerId: string | null;
}

/** Where the take's bytes are; `serverMs ≤ deviceMs ≤ capturedMs`. */
export interface TakeProgress {
  capturedMs: number;
  /** Flushed to this device's disk. */
  deviceMs: number;
  /** Acknowledged by the server, durable there. */
  serverMs: number;
}

/**
 * Where new sound is stored: `memory` when the device is full, until it is on the server; `nowhere` when memory is
 * full too.
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
   * `database`: this window has no files, so the take is in IndexedDB only. `temporary`: it is lost with the window,
   * too (private browsing). `memory`: this browser rejects storage, so bytes that the server does not have are in this worker's
   * memory only and are lost with the page.
   */
  | { type: 'started'; takeId: string; journal: TakeJournal }
  /**
   * About 15 times a second while recording. `points` are the new peaks since the last message: min, max, min,
   * max… `level` is null if no PCM arrived, so nothing is known about it.
   */
  | { type: 'level'; level: Level | null; points: Int8Array }
  | { type: 'progress'; progress: TakeProgress; condition: UploadCondition; storageTarget: StorageTarget }
  /** All gaps so far, after every new gap. */
  | { type: 'gaps'; gaps: Gap[] }
  /** No PCM arrived for a second, without an event: the page should reopen the microphone. */
  | { type: 'capture-stalled' }
  /** The first sound of a new source has arrived, so an interruption is over. */
  | { type: 'continued' }
  /** `silence`: no sound for ten seconds. `clipping`: much of the sound is too loud. */
  | { type: 'alarm'; alarm: Alarm; isOn: boolean }
  /** The server will never take it. The device keeps what it stored, and the take continues there. */
  | { type: 'rejected'; rejection: Rejection }
  | { type: 'markers'; markers: TakeMarker[] }
  | { type: 'notes'; notes: StoredNote[] }
  /** All passages off the record, after every change and whenever the server has confirmed one. */
  | { type: 'passages'; passages: readonly TakePassage[] }
  /**
   * The worker has bytes to send but no valid capability. `goesOn`: the take continues after it was stopped, so
   * the server may have to reopen it.
   */
  | { type: 'attach-needed'; takeId: string; reason: 'none' | 'rejected'; goesOn: boolean }
  /** The server has finished this take and has less of it than this device, so the take stays here. */
  | { type: 'unsendable'; takeId: string }
  /** The journal is closed: the take is complete on this device. Its length is null if it is not known yet. */
  | { type: 'stopped'; takeId: string; durationMs: number | null }
  /** The server has confirmed every byte and that the take is finished. */
  | { type: 'receipt'; takeId: string; durationMs: number | null }
  | { type: 'failed'; takeId: string; code: FailureCode; detail: string };
