import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { takeBackup } from '#server/features/backups/take/take-backup.ts';
import { findSecretKey, secretKeyPathOf } from '#server/secret-key.ts';
import { openTargetToWrite, withBackups } from '#server/start/backup-targets.ts';
import { StartError } from '#server/start-error.ts';
import { closeAll } from '#server/start/close-all.ts';
import { installationPlaceOf } from '#server/installation-place.ts';
import { openBesideServer, rejectAbandoned } from '#server/start/open-stores.ts';
import { assertInstallation } from '#server/start/stores.ts';
import { backupBucketOf } from '#server/storage/backups/backup-place.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { ownVersion } from '#server/version.ts';
import { sizeText } from './size-text.ts';

/**
 * Makes a backup while the server may run. Returns 1 if something in it did not match its receipt.
 * @throws StartError or BackupError for a known reason
 */
export async function backup(
  config: Config,
  { to, withKey, adopts }: { to: string; withKey: boolean; adopts: boolean },
): Promise<number> {
  assertInstallation(config);
  rejectAbandoned(config);
  const secretKey = await findSecretKey(config);
  if (withKey && secretKey === null)
    throw new StartError(
      `${secretKeyPathOf(config.dataDir)} does not exist or cannot be read: start the server once, or omit --with-key.`,
    );
  const closers: (() => void | Promise<void>)[] = [];
  try {
    const target = await openTargetToWrite(config, to);
    closers.push(() => {
      target.close();
    });
    if (backupBucketOf(to) === null && (await target.freeBytes()) === null)
      process.stdout.write(
        `How much space is free under ${to} is not known, and is not compared with the size of the backup.\n`,
      );
    const { database, blobs } = await openBesideServer(config);
    closers.push(
      () => database.close(),
      () => blobs.close(),
    );
    const {
      id,
      blobs: files,
      copied,
      keyFingerprint,
    } = await withBackups(to, async () =>
      takeBackup(
        {
          database,
          blobs,
          clock: systemClock,
          version: await ownVersion(),
          secretKey,
          place: installationPlaceOf(config),
          target,
          signal: new AbortController().signal,
        },
        { withKey, isScheduled: false, retention: null, adopts },
      ),
    );
    const place = config.secretKey === '' ? secretKeyPathOf(config.dataDir) : 'SECRET_KEY';
    const note = withKey
      ? 'It contains the secret key: make sure that nobody else can read it.'
      : `It does not contain the secret key (${place}), which a restored server needs: store a copy of it elsewhere.`;
    process.stdout.write(
      `The backup ${id} in ${to} is complete: ${files.count} files (${sizeText(files.sizeBytes)}), of which ${copied.count} (${sizeText(copied.sizeBytes)}) were new. ${note}\n`,
    );
    if (secretKey === null || fingerprintOf(secretKey) !== keyFingerprint)
      process.stdout.write(
        `It is not authenticated, because the secret key of the database is not known here: run the command with the DATA_DIR or the SECRET_KEY of the server.\n`,
      );
    if (files.damagedCount > 0)
      process.stdout.write(
        `${files.damagedCount} of the files do not match their receipts or are missing, in the backup and most likely in the installation: run "earshot verify".\n`,
      );
    return files.damagedCount > 0 ? 1 : 0;
  } finally {
    await closeAll(closers);
  }
}
