import type { RecordingRow } from '#server/storage/database/schema.ts';

/** The states of a recording that may still receive bytes. */
export const unfinishedStates = [
  'receiving',
  'abandoned',
] as const satisfies readonly RecordingRow['state'][];

/** Whether a recording may still receive bytes. */
export const isUnfinished = ({ state }: Pick<RecordingRow, 'state'>): boolean =>
  unfinishedStates.some((unfinished) => unfinished === state);
