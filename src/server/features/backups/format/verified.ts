import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { keysOf } from './snapshots.ts';
import { timeSchema } from './values.ts';

const verifiedSchema = z.object({ atMs: timeSchema });
const maxFileBytes = 1000;

/** Returns when everything in a snapshot was last read back without a difference; null if it never was. */
export async function verifiedAtMs(target: BackupTarget, id: string): Promise<number | null> {
  const key = keysOf(id).verified;
  const sizeBytes = await target.sizeOf(key);
  if (sizeBytes === null || sizeBytes > maxFileBytes) return null;
  try {
    return verifiedSchema.parse(JSON.parse(await text(target.read(key)))).atMs;
  } catch {
    return null;
  }
}

/** Stores that a snapshot was verified; null: that it has a problem. */
export async function noteVerified(target: BackupTarget, id: string, atMs: number | null): Promise<void> {
  const key = keysOf(id).verified;
  if (atMs === null) return target.remove(key);
  await target.write(
    key,
    (async function* () {
      yield Buffer.from(JSON.stringify({ atMs }));
    })(),
  );
}
