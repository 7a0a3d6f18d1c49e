import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors/code-of.ts';
import { instantOf } from '#base/instant.ts';
import { readConfig, type Config } from '#server/config.ts';
import { moveBlobs, type MovedBlobs } from '#server/features/backups/move/move-blobs.ts';
import { moveTables } from '#server/features/backups/move/move-tables.ts';
import { closeMove, explainMove, openMove, type OpenMove } from '#server/start/open-move.ts';
import { markMoved, movedMarkerOf, placeText } from '#server/start/moved-place.ts';
import { explained, StartError } from '#server/start-error.ts';
import { assertInstallation, lockDataDir } from '#server/start/stores.ts';
import { purgedFolders } from '#server/storage/database/unfinished-move.ts';
import { progressPrinter } from './progress-printer.ts';
import { sizeText } from './size-text.ts';

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(
      `${resolve(path)} cannot be read (${codeOf(error)}): pass a file with the settings of the new place, one NAME=value per line.`,
      { cause: error },
    );
  }
}

/** Reads the settings of the new place: those of the old one, changed by a file. */
function readSettings(
  environment: Record<string, string | undefined>,
  path: string,
): { target: Config; names: string[] } {
  const changed = parseEnv(readText(path));
  return { target: readConfig({ ...environment, ...changed }), names: Object.keys(changed) };
}

/** Copies what the new place lacks, and prints how far it is. */
async function copyBlobs(
  { from, to }: OpenMove,
  { skipsOptional }: { skipsOptional: boolean },
): Promise<MovedBlobs> {
  const printProgress = progressPrinter();
  const onProgress = ({ count, copiedBytes }: Readonly<MovedBlobs>): void => {
    printProgress(() => `${count} files, ${sizeText(copiedBytes)} copied…`);
  };
  return moveBlobs({ from, to }, { skipsOptional, onProgress });
}

const damageText = (count: number): string =>
  count === 0
    ? ''
    : `${count} files are missing or do not match their receipts, in both places: run "earshot verify".\n`;

async function prepare(open: OpenMove): Promise<number> {
  const { count, copiedBytes } = await copyBlobs(open, { skipsOptional: false });
  process.stdout.write(
    `${count} files are at the new place, ${sizeText(copiedBytes)} of them were copied now. Run this command again until it copies only a little. Then stop the server, and run it with --finish.\n`,
  );
  return 0;
}

interface Settings {
  /** The old place. */
  config: Config;
  /** The new place. */
  target: Config;
  /** The variables that differ. */
  names: readonly string[];
}

async function finish({ config, target, names }: Settings, open: OpenMove): Promise<number> {
  const { from, to, lock } = open;
  let damagedCount = 0;
  if (!open.isComplete) {
    const blobs = await copyBlobs(open, { skipsOptional: true });
    damagedCount = blobs.damagedCount;
    await lock.assertHeld();
    const rows = open.isSameDatabase
      ? null
      : await moveTables(from.database, to.database, { replaces: open.areTablesFilled });
    for (const folder of await purgedFolders(to.database.queries)) await to.blobs.remove(folder);
    process.stdout.write(
      `${blobs.count} files are at the new place, ${sizeText(blobs.copiedBytes)} of them were copied now. ${rows === null ? 'The database stays.' : `${rows} rows were copied and compared.`}\n${damageText(damagedCount)}`,
    );
  }
  await markMoved(config, { to: placeText(target), at: instantOf(systemClock.nowMs()) });
  await open.complete();
  process.stdout.write(
    `The move is complete. Start the server with the previous settings, and replace these by those of the file: ${names.join(', ')}. No server will start at the old place any more (${movedMarkerOf(config)}); nothing else in it was changed. Delete it once you have a backup of the new place.\n`,
  );
  return damagedCount > 0 ? 1 : 0;
}

/**
 * Moves an installation from a disk to PostgreSQL and an object store. Without `finishes` it copies the bytes beside
 * the running server, any number of times; with it, the server must be stopped, and the rest is copied. Interrupted,
 * it is continued by the same command. Returns 1 if files are missing or damaged.
 * @param options.settings a file with the variables that differ in the new place
 * @throws StartError or BackupError for a known reason
 */
export async function move(
  environment: Record<string, string | undefined>,
  { settings, finishes }: { settings: string; finishes: boolean },
): Promise<number> {
  const config = readConfig(environment);
  const { target, names } = readSettings(environment, settings);
  if (config.storageUrl !== 'disk:')
    throw new StartError(
      'The recordings are in an object store already: run this command with the settings of the old place, and pass a file with those of the new one.',
    );
  if (target.storageUrl === 'disk:')
    throw new StartError(
      `${settings} has no object store: add STORAGE_URL=s3://…, DATABASE_URL and SECRET_KEY to it. To move only to another disk or database, use "earshot backup" and "earshot restore".`,
    );
  assertInstallation(config);
  const place = finishes ? await lockDataDir(config) : null;
  try {
    return await explained(explainMove(config, target), async () => {
      const open = await openMove(config, target);
      try {
        if (!finishes && open.isComplete)
          throw new StartError('Everything has been moved: run this command with --finish.');
        return await (finishes ? finish({ config, target, names }, open) : prepare(open));
      } finally {
        await closeMove(open);
      }
    });
  } finally {
    place?.release();
  }
}
