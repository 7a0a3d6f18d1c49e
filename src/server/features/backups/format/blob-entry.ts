import { z } from 'zod';
import { sha256Schema, sizeSchema, timeSchema } from './values.ts';

const blobEntrySchema = z.object({
  /** The upload or recording that it belongs to. Entries are in order of `kind` and `ownerId`. */
  ownerId: z.string(),
  kind: z.enum(['upload', 'recording']),
  key: z.string().regex(/^recordings\/[\da-z-]{1,100}\/[\da-z-]{1,100}$/),
  /** Of the content in the target. Null: it was missing when the backup was made. */
  sha256: sha256Schema.nullable(),
  sizeBytes: sizeSchema,
  /** When the blob had last changed; null for sealed ones, which never change. */
  changedAtMs: timeSchema.nullable(),
  /** The content did not match the receipt when the backup was made, or was missing. */
  isDamaged: z.boolean(),
});

/** One blob of a snapshot. */
export type BlobEntry = z.output<typeof blobEntrySchema>;

/** @throws ZodError or SyntaxError for a line that is not an entry */
export const parseBlobEntry = (line: string): BlobEntry => blobEntrySchema.parse(JSON.parse(line));
