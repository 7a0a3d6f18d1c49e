import { systemClock } from '#base/clock.ts';
import { day, hour, minute } from '#base/duration.ts';
import type { Config } from '#server/config.ts';
import { verifyFiles } from '#server/features/backups/check-backup.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { manifestSealOf, type ManifestSeal } from '#server/features/backups/format/manifest-seal.ts';
import { chosenSnapshot, originText, snapshotsOf } from '#server/features/backups/format/snapshots.ts';
import { noteVerified, verifiedAtMs } from '#server/features/backups/format/verified.ts';
import { wholeSizeOf } from '#server/features/backups/take/take-backup.ts';
import { openTargetToRead, withBackups } from '#server/start/backup-targets.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { findSecretKey } from '#server/secret-key.ts';
import { authenticityWords } from './authenticity-text.ts';
import { sizeText } from './size-text.ts';

export interface BackupsOptions {
  in: string;
  /** Reads one backup back first: the newest, or the one of `snapshot`. */
  verifies: boolean;
  snapshot: string | undefined;
  asJson: boolean;
}

function ageText(ms: number): string {
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  return ms < 2 * day ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / day)} days`;
}

/** Reads one backup back and prints what is wrong. Returns whether it is whole. */
async function verifyOne(target: BackupTarget, manifest: BackupManifest, asJson: boolean): Promise<boolean> {
  // Several files of recordings may have the same content, and so the same file in the backup.
  const problems = new Set<string>();
  for await (const { key, problem } of verifyFiles(target, manifest, new AbortController().signal)) {
    const isKnown = problems.has(key);
    problems.add(key);
    if (!asJson && !isKnown) process.stdout.write(`${problem}: ${target.name}/${key}\n`);
  }
  await noteVerified(target, manifest.id, problems.size === 0 ? systemClock.nowMs() : null);
  if (!asJson)
    process.stdout.write(
      `${manifest.id}: ${manifest.blobs.count} files were read back, ${problems.size} of them are missing or damaged.${problems.size === 0 ? '' : ' Damaged files of recordings were renamed to ….damaged, and the next backup copies them again.'}\n`,
    );
  return problems.size === 0;
}

async function printBackups(
  target: BackupTarget,
  seal: ManifestSeal | null,
  { verifies, snapshot, asJson }: Omit<BackupsOptions, 'in'>,
): Promise<number> {
  const isWhole = verifies
    ? await verifyOne(target, await chosenSnapshot(target, snapshot, { seal }), asJson)
    : true;
  const { complete, unusable } = await snapshotsOf(target, seal);
  const nowMs = systemClock.nowMs();
  const listed = [];
  for (const manifest of complete)
    listed.push({
      id: manifest.id,
      startedAtMs: manifest.startedAtMs,
      version: manifest.version,
      origin: manifest.origin ?? null,
      sizeBytes: wholeSizeOf(manifest),
      copiedBytes: manifest.copied.sizeBytes,
      damagedCount: manifest.blobs.damagedCount,
      verifiedAtMs: await verifiedAtMs(target, manifest.id),
      authenticity: manifest.authenticity,
    });
  if (asJson) process.stdout.write(`${JSON.stringify({ backups: listed, unusable })}\n`);
  else {
    for (const {
      id,
      origin,
      startedAtMs,
      sizeBytes,
      copiedBytes,
      damagedCount,
      verifiedAtMs: atMs,
      authenticity,
    } of listed)
      process.stdout.write(
        `${[
          id,
          `${ageText(nowMs - startedAtMs)} old`,
          `${sizeText(sizeBytes)}, ${sizeText(copiedBytes)} new`,
          atMs === null ? 'not verified' : `verified ${ageText(nowMs - atMs)} ago`,
          authenticityWords[authenticity],
          `from ${originText({ origin: origin ?? undefined })}`,
          ...(damagedCount > 0 ? [`${damagedCount} files damaged`] : []),
        ].join('  ')}\n`,
      );
    for (const { reason } of unusable) process.stdout.write(`${reason}\n`);
  }
  return isWhole && unusable.length === 0 ? 0 : 1;
}

/**
 * Lists the backups in a folder or bucket, the newest first. Returns 1 if one cannot be used or the verified one is damaged.
 * @throws StartError or BackupError for a known reason
 */
export function backups(config: Config, { in: from, ...options }: BackupsOptions): Promise<number> {
  return withBackups(from, async () => {
    const target = await openTargetToRead(config, from);
    try {
      const secretKey = await findSecretKey(config);
      return await printBackups(target, secretKey === null ? null : manifestSealOf(secretKey), options);
    } finally {
      target.close();
    }
  });
}
