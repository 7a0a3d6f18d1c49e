import { z } from 'zod';
import { hashOf } from '#server/storage/hash-of.ts';

/** The version of the layout that `docs/self-hosting/backup.md` describes. */
export const backupFormat = 1;

const fileSchema = z.object({
  sizeBytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), kind: z.enum(['text', 'integer', 'bytes']) })).min(1),
  rowCount: z.int().min(0),
  /** The compressed file. */
  file: fileSchema,
});

const contentSchema = z.object({
  format: z.literal(backupFormat),
  id: z.string(),
  /** The version of Earshot that made it. */
  version: z.string(),
  /** Which installation made it, and where. Absent in backups of older versions. */
  origin: z
    .object({
      /** The id of its lineage. */
      lineage: z.string(),
      /** The lineage of the place that the installation was moved from. */
      continues: z.string().nullable(),
      /** The name of the machine. */
      host: z.string(),
      /** The data directory or the database. */
      place: z.string(),
    })
    .optional(),
  startedAtMs: z.int(),
  endedAtMs: z.int(),
  /** The migrations of the database, in order. */
  migrations: z.array(z.string()).min(1),
  /** Identifies the secret key that the database needs; null if no server has started on it. */
  keyFingerprint: z.string().nullable(),
  hasKey: z.boolean(),
  /** In the order in which they are restored. */
  tables: z.array(tableSchema).min(1),
  /** The files of recordings. */
  blobs: z.object({
    count: z.int().min(0),
    sizeBytes: z.int().min(0),
    /** How many did not match their receipts, or were missing, when the backup was made. */
    damagedCount: z.int().min(0),
    file: fileSchema,
  }),
  /** The files among them that the target did not have before. */
  copied: z.object({ count: z.int().min(0), sizeBytes: z.int().min(0) }),
});
export type BackupManifest = z.output<typeof contentSchema>;

const summedSchema = z.object({ content: z.unknown(), sha256: z.string() });
const futureSchema = z.object({ content: z.object({ format: z.int().min(backupFormat + 1) }) });

const sumOf = (content: unknown): string => hashOf(JSON.stringify(content));

/** Serialises a manifest with its own sum. */
export const manifestText = (content: BackupManifest): string =>
  `${JSON.stringify({ content, sha256: sumOf(content) }, null, 1)}\n`;

/** Returns the manifest, or why it cannot be used. */
export function parseManifest(text: string): BackupManifest | 'damaged' | 'newer' {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'damaged';
  }
  if (futureSchema.safeParse(json).success) return 'newer';
  const summed = summedSchema.safeParse(json);
  // The sum is that of the text, so it is compared before the schema puts the properties into its own order.
  if (!summed.success || summed.data.sha256 !== sumOf(summed.data.content)) return 'damaged';
  const parsed = contentSchema.safeParse(summed.data.content);
  return parsed.success ? parsed.data : 'damaged';
}
