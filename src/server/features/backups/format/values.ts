import { z } from 'zod';

/** The id of a backup, which names its folder. */
export const idPattern = /^[\da-z][\da-z-]{0,99}$/;

/** The latest moment that a date can have. */
const maxTimeMs = 8.64e15;

export const sizeSchema = z.int().min(0);
export const timeSchema = z.int().min(-maxTimeMs).max(maxTimeMs);
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** The length and the hash of a file or of content. */
export const fileSchema = z.object({ sizeBytes: sizeSchema, sha256: sha256Schema });
export type FileSum = z.output<typeof fileSchema>;

/** Replaces what a terminal would obey, in a text of a backup that is shown. */
export const printable = (text: string): string => text.slice(0, 300).replaceAll(/\p{Cc}/gu, '\u{FFFD}');
