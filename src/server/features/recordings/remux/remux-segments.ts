import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { Database } from '../../../storage/database/database.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import { hasOwnPeaks, withMadePeaks } from './made-peaks.ts';
import { createSegmentRemuxer, type RemuxerDeps, type RemuxOutcome, type SegmentTask } from './segment-remuxer.ts';

export interface RemuxOneDeps extends RemuxerDeps {
  database: Database;
  /** Learns what became of each segment that was not ready as it came. */
  onRemuxed: (outcome: RemuxOutcome, segment: StoredSegment) => void;
}

/**
 * Makes every sealed segment of a recording ready to be played, and answers with all segments as they are then, with the peaks that
 * were made where the device sent none. Safe to run again: what is ready is left alone.
 */
export type RemuxSegments = (segments: readonly StoredSegment[], context: { signal: AbortSignal }) => Promise<StoredSegment[]>;

/** Makes something of one segment, keeps in mind what was made, and answers with the segment as it is then. */
export type RemuxOne = (segment: StoredSegment, wish: Omit<SegmentTask, 'segment'>) => Promise<{ segment: StoredSegment; outcome: RemuxOutcome }>;

/** Opens the remuxing of single segments, one at a time. */
export function createRemuxOne(deps: RemuxOneDeps): RemuxOne {
  const remux = createSegmentRemuxer(deps);
  return async (segment, wish) => {
    const { outcome, remuxedBytes } = await remux({ segment, ...wish });
    deps.onRemuxed(outcome, segment);
    if (remuxedBytes === null) return { segment, outcome };
    await deps.database.queries.updateTable('uploads').set({ remuxed_bytes: remuxedBytes }).where('id', '=', segment.uploadId).execute();
    return { segment: { ...segment, remuxedBytes }, outcome };
  };
}

/** What a segment still lacks; null where it is ready, or still grows. */
function wishFor(segment: StoredSegment, all: readonly StoredSegment[]): Pick<SegmentTask, 'make' | 'wantsPeaks'> | null {
  const { stream, container, sealedAtMs, sizeBytes, remuxedBytes } = segment;
  if (stream !== 'audio' || sealedAtMs === null || sizeBytes === 0) return null;
  const wantsPeaks = !hasOwnPeaks(segment, all);
  if (container === 'ogg') return wantsPeaks ? { make: 'peaks', wantsPeaks } : null;
  return wantsPeaks || remuxedBytes === null ? { make: 'ogg', wantsPeaks } : null;
}

/** Opens the remuxing of whole recordings. */
export function createRemuxSegments(blobs: BlobStore, remuxOne: RemuxOne): RemuxSegments {
  return async (segments, { signal }) => {
    const known = await withMadePeaks(blobs, segments);
    const remuxed: StoredSegment[] = [];
    for (const segment of known) {
      const wish = wishFor(segment, known);
      remuxed.push(wish === null ? segment : (await remuxOne(segment, { ...wish, signal })).segment);
    }
    return withMadePeaks(blobs, remuxed);
  };
}
