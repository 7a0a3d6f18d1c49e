import type { Gap } from '#contract/recordings.ts';
import { storedGapSchema, storedList } from '#server/storage/rows/stored-list.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';

/** The gaps that the device reported. */
export const namedGapsOf = (row: Pick<RecordingRow, 'gaps'>): Gap[] =>
  storedList(storedGapSchema, row.gaps) ?? [];
