import type { RecordingRow, RemuxedContainer } from '#server/storage/database/schema.ts';

/** The containers of files that are played in place of a segment. */
export const remuxedContainers: readonly RemuxedContainer[] = ['ogg', 'mp4', 'webm', 'wav'];

/** The key of the file that is played in place of a segment. */
export const remuxedKeyOf = (blobKey: string, container: RemuxedContainer = 'ogg'): string =>
  `${blobKey}-${container}`;

/**
 * The key of the peaks that the server made for a segment. The device's own peaks keep their key, so their receipt
 * stays valid.
 */
export const madePeaksKeyOf = ({ blobKey }: { blobKey: string }): string => `${blobKey}-peaks`;

/**
 * The key of the pyramid of one finish. An outdated finish writes to another key than the newer one, so it never
 * overwrites it.
 */
export const pyramidKeyOf = ({
  id,
  finished_at: finishedAtMs,
}: Pick<RecordingRow, 'id' | 'finished_at'>): string =>
  `recordings/${id}/peaks-pyramid${finishedAtMs === null ? '' : `-${finishedAtMs}`}`;

/** The key of a file until it is complete. Writers that may run at the same time must not share one. */
export const unfinishedKeyOf = (key: string, writer?: string): string =>
  `${key}-unfinished${writer === undefined ? '' : `-${writer}`}`;
