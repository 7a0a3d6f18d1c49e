import { z } from 'zod';
import { hashOf } from '#server/storage/hash-of.ts';
import { fileSchema, idPattern, sizeSchema, timeSchema } from './values.ts';
import type { ManifestSeal } from './manifest-seal.ts';

/** The version of the layout that `docs/self-hosting/backup.md` describes. */
export const backupFormat = 1;
/** That of backups with streams in chunks. Versions that don't know them refuse it with a sentence. */
export const chunkedFormat = 2;

const nameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

const tableSchema = z.object({
  name: nameSchema,
  columns: z.array(z.object({ name: nameSchema, kind: z.enum(['text', 'integer', 'bytes']) })).min(1),
  rowCount: sizeSchema,
  /** The compressed file. */
  file: fileSchema,
});

const contentSchema = z.object({
  format: z.union([z.literal(backupFormat), z.literal(chunkedFormat)]),
  id: z.string().regex(idPattern),
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
  startedAtMs: timeSchema,
  endedAtMs: timeSchema,
  /** The migrations of the database, in order. */
  migrations: z.array(z.string()).min(1),
  /** Identifies the secret key that the database needs; null if no server has started on it. */
  keyFingerprint: z.string().nullable(),
  hasKey: z.boolean(),
  /** In the order in which they are restored. */
  tables: z
    .array(tableSchema)
    .min(1)
    .refine((tables) => new Set(tables.map(({ name }) => name)).size === tables.length),
  /** The files of recordings. */
  blobs: z.object({
    count: sizeSchema,
    sizeBytes: sizeSchema,
    /** How many did not match their receipts, or were missing, when the backup was made. */
    damagedCount: sizeSchema,
    file: fileSchema,
  }),
  /** The files among them that the target did not have before. */
  copied: z.object({ count: sizeSchema, sizeBytes: sizeSchema }),
});
export type BackupManifest = z.output<typeof contentSchema>;

/**
 * What the MAC of a manifest shows. `authentic`: it is that of the secret key. `absent`: there is none, as in backups
 * of earlier versions. `unchecked`: the secret key of the backup is not known here.
 */
type Authenticity = 'authentic' | 'absent' | 'unchecked';

/** A manifest as it was read from a place of backups. */
export type Snapshot = BackupManifest & { authenticity: Authenticity };

const summedSchema = z.object({ content: z.unknown(), sha256: z.string(), mac: z.string().optional() });
const futureSchema = z.object({ content: z.object({ format: z.int().min(chunkedFormat + 1) }) });

/**
 * Serialises a manifest with its own sum and its MAC.
 * @param seal of the secret key that the manifest names; null: the key is not known, and there is no MAC
 */
export function manifestText(manifest: BackupManifest, seal: ManifestSeal | null): string {
  const content = JSON.stringify(manifest);
  const mac =
    seal === null || seal.keyFingerprint !== manifest.keyFingerprint ? {} : { mac: seal.macOf(content) };
  return `${JSON.stringify({ content: manifest, sha256: hashOf(content), ...mac }, null, 1)}\n`;
}

/** @returns null for a wrong MAC */
function authenticityOf(
  { keyFingerprint }: BackupManifest,
  { content, mac }: { content: string; mac: string | undefined },
  seal: ManifestSeal | null,
): Authenticity | null {
  if (mac === undefined) return 'absent';
  if (seal === null || seal.keyFingerprint !== keyFingerprint) return 'unchecked';
  return seal.isMacOf(mac, content) ? 'authentic' : null;
}

/**
 * Returns the manifest, or why it cannot be used. `forged`: its MAC is not that of the secret key.
 * @param options.id the id of the snapshot that has it
 * @param options.seal of the secret key; null if it is not known
 */
export function parseManifest(
  text: string,
  { id, seal }: { id: string; seal: ManifestSeal | null },
): Snapshot | 'damaged' | 'newer' | 'forged' {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'damaged';
  }
  if (futureSchema.safeParse(json).success) return 'newer';
  const summed = summedSchema.safeParse(json);
  if (!summed.success) return 'damaged';
  // The sum is that of the text, so it is compared before the schema puts the properties into its own order.
  const content = JSON.stringify(summed.data.content);
  const parsed = contentSchema.safeParse(summed.data.content);
  if (summed.data.sha256 !== hashOf(content) || !parsed.success) return 'damaged';
  const authenticity = authenticityOf(parsed.data, { content, mac: summed.data.mac }, seal);
  // A manifest that was copied from another backup is authentic, but not this one's.
  if (authenticity === null || parsed.data.id !== id) return 'forged';
  return { ...parsed.data, authenticity };
}
