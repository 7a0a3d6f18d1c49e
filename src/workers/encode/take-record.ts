import type { Quality } from '#contract/limits.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { TakeMarker } from './messages.ts';

/** A segment of a take: two append-only files in OPFS, `takes/<takeId>/<index, 4 digits>.{audio,peaks}`, each an upload of its own. */
export interface TakeSegment {
  index: number;
  startMs: number;
  audioUploadId: string;
  peaksUploadId: string;
  /** Writer epoch; one more at every recovery. */
  epoch: number;
}

/** What the device knows of a take: the value of the IndexedDB store `takes` (database `earshot`), keyed by id. */
export interface TakeRecord {
  id: string;
  ownerId: string | null;
  title: string;
  startedAtMs: number;
  timeZone: string;
  quality: Quality;
  deviceLabel: string | null;
  sampleRateHz: number;
  channels: number;
  /** `recording` until its journal was closed in order; a take found so without its lock held has lost its tab. */
  state: 'recording' | 'stopped';
  segments: TakeSegment[];
  markers: (TakeMarker & { sent: boolean })[];
  gaps: { atMs: number; durationMs: number; cause: 'page-killed' | 'unknown' }[];
  pauses: { atMs: number; durationMs: number }[];
  durationMs: number;
  sizeBytes: number;
  upload: UploadCapability | null;
  /** When the server confirmed that it holds everything. */
  receiptAtMs: number | null;
  deletedAtMs: number | null;
  updatedAtMs: number;
}
