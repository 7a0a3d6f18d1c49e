import { untitledName } from '#base/recorded-time/untitled-name.ts';
import { timeOfRow, type timeColumns } from '#server/storage/believable/stored-time.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';

type Titled = Pick<RecordingRow, (typeof timeColumns)[number] | 'title'>;

/** The name of a recording in files: its title, or its day and time where the user gave none. */
export const nameInFiles = (recording: Titled): string =>
  recording.title === '' ? untitledName(timeOfRow(recording)) : recording.title;
