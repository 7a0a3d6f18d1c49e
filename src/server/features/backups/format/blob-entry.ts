import { z } from 'zod';
import { fileSchema, sha256Schema, sizeSchema, type FileSum, timeSchema } from './values.ts';

const entrySchema = z.object({
  /** The upload or recording that it belongs to. Entries are in order of `kind` and `ownerId`. */
  ownerId: z.string(),
  kind: z.enum(['upload', 'recording']),
  key: z.string().regex(/^recordings\/[\da-z-]{1,100}\/[\da-z-]{1,100}$/),
  /** Of the whole blob. Null: it was missing when the backup was made. */
  sha256: sha256Schema.nullable(),
  sizeBytes: sizeSchema,
  /** When the blob had last changed; null for sealed ones, which never change. */
  changedAtMs: timeSchema.nullable(),
  /** The content did not match the receipt when the backup was made, or was missing. */
  isDamaged: z.boolean(),
  /** What a stream that was growing consists of in the target, in order. Absent if that is one content. */
  chunks: z.array(fileSchema).min(2).optional(),
});

/** Whether chunks are exactly as long as their blob. */
const hasItsSize = ({ sha256, sizeBytes, chunks }: z.output<typeof entrySchema>): boolean =>
  chunks === undefined ||
  (sha256 !== null && chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0) === sizeBytes);

const blobEntrySchema = entrySchema.refine(hasItsSize);

/** One blob of a snapshot. */
export type BlobEntry = z.output<typeof blobEntrySchema>;

/** The contents in the target that a blob consists of, in order. */
export function contentsOf({
  sha256,
  sizeBytes,
  chunks,
}: Pick<BlobEntry, 'sha256' | 'sizeBytes' | 'chunks'>): FileSum[] {
  return chunks ?? (sha256 === null ? [] : [{ sha256, sizeBytes }]);
}

/** @throws ZodError or SyntaxError for a line that is not an entry */
export const parseBlobEntry = (line: string): BlobEntry => blobEntrySchema.parse(JSON.parse(line));
