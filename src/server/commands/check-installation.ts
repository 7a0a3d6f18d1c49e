import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { systemClock } from '#base/clock.ts';
import { day, hour, second } from '#base/duration.ts';
import type { Config } from '#server/config.ts';
import { backupStatus } from '#server/features/backups/backup-status.ts';
import { createVerificationStore } from '#server/features/maintenance/verification-store.ts';
import { planDescriptors, readFileLimit } from '#server/http/edge/descriptors.ts';
import { isLoopback } from '#server/http/edge/loopback.ts';
import { findProgram, isRunnable } from '#server/processes/limited-command.ts';
import { secretKeyPathOf } from '#server/secret-key.ts';
import { openDatabaseInUse } from '#server/start/open-stores.ts';
import { StartError } from '#server/start-error.ts';
import { assertInstallation } from '#server/start/stores.ts';
import { defaultReserveBytes } from '#server/storage/blobs/disk-reserve.ts';
import { databaseTime, readTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import { sizeText } from './size-text.ts';

/** `problem`: something does not work, or data are at risk. `check`: only the operator can tell. */
interface Finding {
  verdict: 'ok' | 'check' | 'problem';
  detail: string;
}

const ok = (detail: string): Finding => ({ verdict: 'ok', detail });
const check = (detail: string): Finding => ({ verdict: 'check', detail });
const problem = (detail: string): Finding => ({ verdict: 'problem', detail });

/** Sign-in codes and the times of recordings tolerate this much. */
const clockToleranceMs = 5 * second;
const oldBackupMs = 2 * day;
const oldVerificationMs = 7 * day;
const fewFreeFiles = 10_000;

const ageText = (ms: number): string =>
  ms < 2 * day ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / day)} days`;

function proxyFinding({ publicUrl, trustedProxyHops }: Config): Finding {
  const hops = `TRUSTED_PROXY_HOPS=${trustedProxyHops}`;
  const url = new URL(publicUrl);
  if (isLoopback(url))
    return trustedProxyHops === 0
      ? ok('no proxy, for this machine alone')
      : check(`${hops}, but PUBLIC_URL=${publicUrl}`);
  return trustedProxyHops === 0
    ? problem(`${hops}, but ${publicUrl} needs a proxy with a certificate: set it to the number of proxies`)
    : ok(`${hops}; Settings > Server status warns if requests pass another number of proxies`);
}

async function spaceFinding({ dataDir, diskReserveBytes }: Config): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  const reserveBytes = diskReserveBytes ?? defaultReserveBytes(blocks * bsize);
  const detail = `${sizeText(freeBytes)} are free under ${dataDir}, of which ${sizeText(reserveBytes)} are for running takes`;
  if (freeBytes < reserveBytes) return problem(detail);
  return freeBytes < 2 * reserveBytes ? check(detail) : ok(detail);
}

async function filesFinding({ dataDir }: Config): Promise<Finding> {
  const { files, ffree } = await statfs(dataDir);
  const { isLow, fileLimit } = planDescriptors(readFileLimit());
  if (isLow)
    return check(`this shell may open ${fileLimit} files; a server needs 4096 (LimitNOFILE, ulimit -n)`);
  // Some file systems have no fixed number of files.
  if (files > 0 && ffree < fewFreeFiles) return problem(`only ${ffree} more files fit on the disk (df -i)`);
  return ok(files > 0 ? `${ffree} more files fit on the disk` : 'the disk has no limit on files');
}

function ffmpegFinding({ ffmpegPath, searchPath }: Config): Finding {
  const found =
    ffmpegPath === '' ? findProgram('ffmpeg', searchPath) : isRunnable(ffmpegPath) ? ffmpegPath : null;
  if (found !== null) return ok(found);
  return ffmpegPath === ''
    ? check('not found: only Opus can be imported, and nothing can be converted')
    : problem(`FFMPEG_PATH=${ffmpegPath} is not a program`);
}

function keyFinding({ secretKey, dataDir }: Config): Finding {
  if (secretKey !== '')
    return check('SECRET_KEY is set: keep a copy of it elsewhere, because backups do not contain it');
  const path = secretKeyPathOf(dataDir);
  return existsSync(path)
    ? check(`keep a copy of ${path} elsewhere, because backups contain it only with --with-key`)
    : problem(`${path} is missing: put your copy of it there`);
}

async function clockFinding(database: Database): Promise<Finding> {
  if (database.dialect === 'sqlite') return check('check that this machine synchronises its clock (NTP)');
  const askedAtMs = systemClock.nowMs();
  const databaseMs = await readTime(database.queries, databaseTime(database, systemClock));
  const aheadMs = Math.round((askedAtMs + systemClock.nowMs()) / 2 - databaseMs);
  const detail = `${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database`;
  return Math.abs(aheadMs) > clockToleranceMs ? problem(detail) : ok(detail);
}

async function backupFinding(database: Database, { backups }: Config): Promise<Finding> {
  const { newest, failure } = await backupStatus({ database, clock: systemClock }, backups?.everyMs ?? null);
  if (failure !== null) return problem(`the last one failed: ${failure.reason}`);
  if (newest === null) return problem('there is none: run "earshot backup PLACE", or set BACKUP_TO');
  const detail = `the newest is ${ageText(systemClock.nowMs() - newest.startedAtMs)} old, in ${newest.place}`;
  if (newest.damagedCount > 0)
    return problem(`${detail}, and ${newest.damagedCount} files in it are damaged`);
  return systemClock.nowMs() - newest.startedAtMs > oldBackupMs ? problem(detail) : ok(detail);
}

async function verificationFinding(database: Database): Promise<Finding> {
  const nowMs = systemClock.nowMs();
  const atMs = await createVerificationStore(database).completedAtMs(nowMs);
  if (atMs === null) return check('none is complete yet; servers verify every night');
  const detail = `the last complete one ended ${ageText(nowMs - atMs)} ago`;
  return nowMs - atMs > oldVerificationMs ? problem(detail) : ok(detail);
}

/** What could not be found out is a problem of its own, and the other checks follow. */
async function findingOf(work: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return problem(`could not be checked: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

async function openedDatabase(config: Config): Promise<Database | Finding> {
  try {
    assertInstallation(config);
    return await openDatabaseInUse(config);
  } catch (error) {
    if (error instanceof StartError) return problem(error.message);
    throw error;
  }
}

const marks = { ok: 'ok     ', check: 'CHECK  ', problem: 'PROBLEM' } as const;

/**
 * Prints a line for each thing that an operator should check first. Reads only.
 * @returns 1 if there is a problem
 * @throws ConfigError for settings that cannot be read
 */
export async function checkInstallation(config: Config): Promise<number> {
  let problems = 0;
  const show = (name: string, { verdict, detail }: Finding): void => {
    if (verdict === 'problem') problems += 1;
    process.stdout.write(`${marks[verdict]} ${name}: ${detail}\n`);
  };
  show('proxy', proxyFinding(config));
  show('space', await findingOf(() => spaceFinding(config)));
  show('files', await findingOf(() => filesFinding(config)));
  show('ffmpeg', ffmpegFinding(config));
  show('secret key', keyFinding(config));
  const database = await openedDatabase(config);
  if ('verdict' in database) show('database', database);
  else {
    try {
      show('database', ok(database.dialect === 'sqlite' ? 'SQLite, can be read' : 'PostgreSQL, responds'));
      show('clock', await findingOf(() => clockFinding(database)));
      show('backup', await findingOf(() => backupFinding(database, config)));
      show('verification', await findingOf(() => verificationFinding(database)));
    } finally {
      await database.close();
    }
  }
  process.stdout.write(
    problems === 0
      ? 'No problems found.\n'
      : `${problems === 1 ? 'A problem' : `${problems} problems`} found.\n`,
  );
  return problems === 0 ? 0 : 1;
}
