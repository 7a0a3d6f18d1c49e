import type { UploadCapability } from '#contract/recordings.ts';
import type { Quality } from '#contract/limits.ts';

/** What the page tells the encode worker. One worker serves one take, from start or recovery to receipt. */
export type ToEncodeWorker =
  | { type: 'start'; take: NewTake; pcmPort: MessagePort }
  | { type: 'recover'; takeId: string }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'stop' }
  | { type: 'add-marker'; markerId: string; label: string }
  | { type: 'rename-marker'; markerId: string; label: string }
  | { type: 'remove-marker'; markerId: string }
  | { type: 'rename'; title: string }
  /** The take has an owner and a right to upload; sent again whenever a fresh capability was fetched. */
  | { type: 'attach'; ownerId: string; upload: UploadCapability }
  /** Network is back or the page became visible: try now instead of waiting for the back-off. */
  | { type: 'nudge' };

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

export interface TakeMarker { id: string; atMs: number; label: string }

/** Where the take's bytes are; `serverMs ≤ deviceMs ≤ capturedMs`. */
export interface TakeProgress {
  capturedMs: number;
  /** Flushed to this device's disk. */
  deviceMs: number;
  /** Acknowledged, durable, by the server. */
  serverMs: number;
}

/** Why bytes are not flowing right now, if so. */
export type UploadCondition = 'unattached' | 'syncing' | 'idle' | 'offline' | 'server-full' | 'server-trouble' | 'capability-refused';

export type FailureCode = 'storage-refused' | 'storage-full' | 'encoder-missing' | 'not-found' | 'locked' | 'internal';

/** What the encode worker tells the page. */
export type FromEncodeWorker =
  | { type: 'started'; takeId: string }
  /** About 15 times a second while recording. `points` are the new peaks since the last message: min, max, min, max… */
  | { type: 'level'; peak: number; rms: number; clipped: boolean; points: Int8Array }
  | { type: 'progress'; progress: TakeProgress; condition: UploadCondition }
  | { type: 'markers'; markers: TakeMarker[] }
  /** The worker has bytes to send and no capability that the server accepts. */
  | { type: 'attach-needed'; takeId: string; reason: 'none' | 'refused' }
  /** The journal is closed: the take is whole on this device. */
  | { type: 'stopped'; takeId: string; durationMs: number }
  /** The server holds a receipt for every byte and has been told the take is finished. */
  | { type: 'receipt'; takeId: string; durationMs: number }
  | { type: 'failed'; takeId: string; code: FailureCode; detail: string };
