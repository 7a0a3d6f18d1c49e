import type { z } from 'zod';
import { instantOf, instantOrNull } from '#base/instant.ts';
import type { backupsSchema } from '#contract/administration-api.ts';
import type { BackupStatus } from '#server/features/backups/backup-status.ts';

/** What administrators see of the backups. */
export function backupsReply({
  everyMs,
  isRunning,
  isOverdue,
  newest,
  failure,
}: BackupStatus): z.output<typeof backupsSchema> {
  return {
    everyMs,
    isRunning,
    isOverdue,
    newest: newest && {
      startedAt: instantOf(newest.startedAtMs),
      place: newest.place,
      sizeBytes: newest.sizeBytes,
      copiedBytes: newest.copiedBytes,
      damagedCount: newest.damagedCount,
      verifiedAt: instantOrNull(newest.verifiedAtMs),
      problem: newest.problem,
    },
    failure: failure && { at: instantOf(failure.atMs), reason: failure.reason },
  };
}
