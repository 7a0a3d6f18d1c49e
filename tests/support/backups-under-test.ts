import type { Clock } from '#base/clock.ts';
import { manifestSealOf } from '#server/features/backups/format/manifest-seal.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { takeBackup } from '#server/features/backups/take/take-backup.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Database } from '#server/storage/database/database.ts';
import { sha256Hex } from './api-client.ts';
import { storeRecording, storeUpload } from './factories.ts';

/** The secret key of every installation of these tests, and the seal of its manifests. */
export const secretKey = new Uint8Array(32).fill(7);
export const seal = manifestSealOf(secretKey);

/** What an installation consists of that is backed up. */
export interface BackedUp {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
}

/** Stores which secret key the database needs, as the first start of a server does. */
export async function storeKeyFingerprint({ queries }: Database): Promise<void> {
  await queries
    .insertInto('installation')
    .values({ name: 'secret-key-fingerprint', value: seal.keyFingerprint })
    .execute();
}

/** Stores a recording of one stream, and returns the key of its blob. Without a seal, it is still growing. */
export async function storeStream(
  { database, blobs, clock }: BackedUp,
  { ownerId, bytes, isSealed = true }: { ownerId: string; bytes: Uint8Array; isSealed?: boolean },
): Promise<string> {
  const { id: recordingId } = await storeRecording(database.queries, { owner_id: ownerId });
  await storeUpload(database.queries, {
    recording_id: recordingId,
    ...(isSealed
      ? { size_bytes: bytes.length, sha256: sha256Hex(bytes), sealed_at: clock.nowMs() }
      : { size_bytes: null, sha256: null, sealed_at: null }),
  });
  const key = blobKeyOf({ recordingId, stream: 'audio', index: 0 });
  await blobs.put(key, bytes);
  return key;
}

/** Makes a backup of an installation. */
export const makeBackup = (
  { database, blobs, clock }: BackedUp,
  target: BackupTarget,
  options: Partial<Parameters<typeof takeBackup>[1]> = {},
): Promise<BackupManifest> => {
  const { signal } = new AbortController();
  return takeBackup(
    { database, blobs, clock, version: '1.0.0', secretKey, place: '/data', target, signal },
    { withKey: false, isScheduled: false, retention: null, ...options },
  );
};
