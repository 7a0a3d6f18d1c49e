import { labelColours, type LabelColour } from '#base/labels/label.ts';
import { languageTagSchema, timeZoneSchema } from '#contract/values.ts';
import type {
  ImportedFileRow,
  StoredContainer,
  RecordingRow,
  UploadRow,
  UserRow,
} from '#server/storage/database/schema.ts';

// Text columns that hold one of a fixed set of values. A later version, a damaged disk or another program may have
// written a value that this version does not know: the row is shown with the value that claims least, and the
// stored one is left unchanged.

const oneOf =
  <Word extends string>(known: readonly Word[]) =>
  (stored: string): Word | undefined =>
    known.find((word) => word === stored);

const colourIn = oneOf(labelColours);
const stateIn = oneOf<RecordingRow['state']>(['receiving', 'finishing', 'ready', 'abandoned', 'failed']);
const containerIn = oneOf<StoredContainer>([
  'ogg',
  'webm',
  'mp4',
  'matroska',
  'mp3',
  'wav',
  'flac',
  'adts',
  'aiff',
  'caf',
  'other',
]);
const segmentContainerIn = oneOf<UploadRow['container']>(['ogg', 'webm', 'mp4', 'original']);
const sourceIn = oneOf<RecordingRow['source']>(['microphone', 'import']);
const renditionIn = oneOf<ImportedFileRow['rendition']>(['none', 'waiting', 'ready', 'failed']);
const reasonIn = oneOf<NonNullable<ImportedFileRow['failure_reason']>>([
  'not-audio',
  'no-audio-track',
  'encrypted',
  'damaged',
  'empty',
  'format-unsupported',
]);

/** The colour of a marker or a tag; an unknown one becomes the default colour. */
export const knownColour = (stored: string): LabelColour => colourIn(stored) ?? 'blue';

/** An unknown state counts as failed: the bytes are on the server, but are not played before they are checked. */
export const knownState = (stored: string): RecordingRow['state'] => stateIn(stored) ?? 'failed';

export const knownContainer = (stored: string): StoredContainer => containerIn(stored) ?? 'other';

/**
 * An unknown container counts as Ogg, which our recorder writes. If the bytes are something else, reading them
 * reports damage.
 */
export const knownSegmentContainer = (stored: string): UploadRow['container'] =>
  segmentContainerIn(stored) ?? 'ogg';

export const knownSource = (stored: string): RecordingRow['source'] => sourceIn(stored) ?? 'microphone';

export const knownRendition = (stored: string | null): ImportedFileRow['rendition'] =>
  stored === null ? 'none' : (renditionIn(stored) ?? 'none');

export const knownReason = (stored: string | null): ImportedFileRow['failure_reason'] =>
  stored === null ? null : (reasonIn(stored) ?? null);

/** An unknown role grants nothing. */
export const knownRole = (stored: string): UserRow['role'] => (stored === 'admin' ? 'admin' : 'member');

export const knownLanguage = (stored: string | null): string | null =>
  stored !== null && languageTagSchema.safeParse(stored).success ? stored : null;

/** An unknown zone counts as UTC; an empty one stays empty. */
export const knownTimeZone = (stored: string): string =>
  stored === '' || timeZoneSchema.safeParse(stored).success ? stored : 'UTC';
