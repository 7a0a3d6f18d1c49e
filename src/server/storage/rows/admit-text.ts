import type { Queries } from '#server/storage/database/database.ts';

/**
 * Text that was written to a recording. A marker is kept even where its user is over quota: a take that runs
 * is marked.
 */
interface WrittenText {
  recordingId: string;
  ownerId: string;
  mayExceedQuota?: boolean;
}

/**
 * Refuses text for which there is no space: too-much-text (413) by the limits of a recording and a user,
 * quota-exceeded (413). Call it in the transaction that wrote the text, after that and only where the text
 * got longer: what is beyond a limit already can still be shortened.
 */
export type AdmitText = (queries: Queries, written: WrittenText) => Promise<void>;
