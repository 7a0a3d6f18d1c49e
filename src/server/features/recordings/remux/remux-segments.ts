import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { CountPackets } from '#server/features/recordings/media/count-packets.ts';
import { remuxedContainers, remuxedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { hasOwnPeaks, withMadePeaks } from './made-peaks.ts';
import {
  createSegmentRemuxer,
  type RemuxerDeps,
  type RemuxOutcome,
  type SegmentTask,
} from './segment-remuxer.ts';

export interface RemuxOneDeps extends RemuxerDeps {
  database: Database;
  /** Called with the outcome for each segment that needed work. */
  onRemuxed: (outcome: RemuxOutcome, segment: StoredSegment) => void;
}

/** All segments of a recording once they can be played, and whether one of them claims absurd times. */
export interface PlayableSegments {
  segments: StoredSegment[];
  hasAbsurdTimes: boolean;
}

/**
 * Prepares every sealed segment of a recording for playback, and makes peaks if the device sent none. It can be
 * repeated safely; prepared segments are skipped.
 */
export type RemuxSegments = (
  segments: readonly StoredSegment[],
  context: { signal: AbortSignal },
) => Promise<PlayableSegments>;

/** Makes a file from one segment, stores the fact, and returns the updated segment. */
export type RemuxOne = (
  segment: StoredSegment,
  options: Omit<SegmentTask, 'segment'>,
) => Promise<{ segment: StoredSegment; outcome: RemuxOutcome; hasAbsurdTimes: boolean }>;

/** Creates the function that remuxes single segments. */
export function createRemuxOne(deps: RemuxOneDeps): RemuxOne {
  const remux = createSegmentRemuxer(deps);
  return async (segment, options) => {
    const { outcome, remuxedBytes, container, hasAbsurdTimes = false } = await remux({ segment, ...options });
    deps.onRemuxed(outcome, segment);
    if (remuxedBytes === null) return { segment, outcome, hasAbsurdTimes };
    await deps.database.queries
      .updateTable('uploads')
      .set({ remuxed_bytes: remuxedBytes, remuxed_container: container })
      .where('id', '=', segment.uploadId)
      .execute();
    return { segment: { ...segment, remuxedBytes, remuxedContainer: container }, outcome, hasAbsurdTimes };
  };
}

/** Deletes every file made from a segment except the one that is played. */
export type DiscardOtherRemuxes = (segment: StoredSegment) => Promise<void>;

/** Creates the function that deletes the remuxed files that a segment no longer plays. */
export const createDiscardOtherRemuxes =
  (blobs: BlobStore): DiscardOtherRemuxes =>
  async ({ blobKey, remuxedContainer }) => {
    for (const container of remuxedContainers)
      if (container !== remuxedContainer) await blobs.remove(remuxedKeyOf(blobKey, container));
  };

/** The work that a segment needs. Null if it is ready or still growing. */
export function remuxOptionsOf(
  segment: StoredSegment,
  all: readonly StoredSegment[],
): Pick<SegmentTask, 'make' | 'wantsPeaks'> | null {
  const { stream, container, sealedAtMs, sizeBytes, remuxedBytes } = segment;
  if (stream !== 'audio' || sealedAtMs === null || sizeBytes === 0) return null;
  const wantsPeaks = !hasOwnPeaks(segment, all);
  if (container === 'ogg') return wantsPeaks ? { make: 'peaks', wantsPeaks } : null;
  return wantsPeaks || remuxedBytes === null ? { make: 'ogg', wantsPeaks } : null;
}

/** Creates the function that remuxes a whole recording, one segment after another. */
export function createRemuxSegments(
  blobs: BlobStore,
  { remuxOne, countPackets }: { remuxOne: RemuxOne; countPackets: CountPackets },
): RemuxSegments {
  return async (segments, { signal }) => {
    const known = await withMadePeaks(blobs, segments);
    const remuxed: StoredSegment[] = [];
    let hasAbsurdTimes = false;
    for (const segment of known) {
      const options = remuxOptionsOf(segment, known);
      const made =
        options === null
          ? { segment, hasAbsurdTimes: false }
          : await remuxOne(segment, { ...options, signal });
      remuxed.push(await countPackets(made.segment));
      hasAbsurdTimes ||= made.hasAbsurdTimes;
    }
    return { segments: await withMadePeaks(blobs, remuxed), hasAbsurdTimes };
  };
}
