import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { takeBackup } from '#server/features/backups/take/take-backup.ts';
import { configuredKey, secretKeyPathOf } from '#server/secret-key.ts';
import { openTargetToWrite, withBackups } from '#server/start/backup-targets.ts';
import { StartError } from '#server/start/start-error.ts';
import { closeAll } from '#server/start/close-all.ts';
import { installationPlaceOf } from '#server/start/installation-place.ts';
import { openBesideServer, rejectAbandoned } from '#server/start/open-stores.ts';
import { assertInstallation } from '#server/start/stores.ts';
import { ownVersion } from '#server/version.ts';
import { sizeText } from './size-text.ts';

/** @throws StartError when there is no key yet */
async function keyOf({ secretKey, dataDir }: Config): Promise<Uint8Array> {
  if (secretKey !== '') return configuredKey(secretKey);
  const path = secretKeyPathOf(dataDir);
  if (!existsSync(path))
    throw new StartError(`${path} does not exist: start the server once, or omit --with-key.`);
  return readFile(path);
}

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
  const key = withKey ? await keyOf(config) : null;
  const closers: (() => void | Promise<void>)[] = [];
  try {
    const target = await openTargetToWrite(config, to);
    closers.push(() => {
      target.close();
    });
    const { database, blobs } = await openBesideServer(config);
    closers.push(
      () => database.close(),
      () => blobs.close(),
    );
    const {
      id,
      blobs: files,
      copied,
    } = await withBackups(to, async () =>
      takeBackup(
        {
          database,
          blobs,
          clock: systemClock,
          version: await ownVersion(),
          place: installationPlaceOf(config),
          target,
          signal: new AbortController().signal,
        },
        { key, isScheduled: false, retention: null, adopts },
      ),
    );
    const place = config.secretKey === '' ? secretKeyPathOf(config.dataDir) : 'SECRET_KEY';
    const note = withKey
      ? 'It contains the secret key: make sure that nobody else can read it.'
      : `It does not contain the secret key (${place}), which a restored server needs: store a copy of it elsewhere.`;
    process.stdout.write(
      `The backup ${id} in ${to} is complete: ${files.count} files (${sizeText(files.sizeBytes)}), of which ${copied.count} (${sizeText(copied.sizeBytes)}) were new. ${note}\n`,
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
