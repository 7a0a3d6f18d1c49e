import type { Queries } from '#server/storage/database/database.ts';

/** Text that was written to a recording. A marker may exceed the quota, because running takes set markers. */
interface WrittenText {
  recordingId: string;
  ownerId: string;
  mayExceedQuota?: boolean;
}

/**
 * Rejects text that exceeds a limit. Call it in the transaction that wrote the text, after the write and only if
 * the text became longer: text beyond a limit can still be shortened.
 * @throws too-much-text (413) by the limits of a recording and a user; quota-exceeded (413)
 */
export type AdmitText = (queries: Queries, written: WrittenText) => Promise<void>;
