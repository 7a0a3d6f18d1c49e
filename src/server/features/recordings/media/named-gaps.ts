import { type Gap, gapSchema } from '#contract/recordings.ts';
import { storedList } from '../../../storage/believable/stored-list.ts';
import type { RecordingRow } from '../../../storage/database/schema.ts';

/** The gaps that the device has named. */
export const namedGapsOf = (row: Pick<RecordingRow, 'gaps'>): Gap[] => storedList(gapSchema, row.gaps) ?? [];
