import type { Reports } from '#server/compose.ts';
import type { HttpLogger } from '#server/http/app.ts';
import type { DescriptorPlan } from '#server/http/edge/descriptors.ts';
import { outageFields } from '#server/logs/outage-counter.ts';

/** Logs what operators must know. Crossings and outages are logged once, so that an alarm on their lines fires once. */
export const logReports = (logger: HttpLogger): Reports => ({
  failure: (work, message) => (error) => {
    logger.warn(outageFields(error, work), message);
  },
  damage(damage) {
    logger.error(damage, 'a stored file does not match the hash in its receipt');
  },
  reserveCrossed({ freeBytes, reserveBytes, isTouched }) {
    logger.warn(
      { freeBytes, reserveBytes },
      isTouched
        ? 'the disk is nearly full; until space is free again only running takes are stored'
        : 'the disk has free space again; everything is stored',
    );
  },
  backupsRejected(problem) {
    logger.warn({ problem }, 'scheduled backups wait for "earshot backup --adopt"');
  },
});

/** Logs the start and the end of an outage of the object store. */
export function logObjectStore(logger: HttpLogger, error: unknown): void {
  if (error === null) logger.warn({}, 'bytes are moved to the object store again');
  else
    logger.warn(
      { err: error },
      'bytes cannot be moved to the object store; they wait in the database, and recordings continue',
    );
}

export function warnOfLowLimit(logger: HttpLogger, { isLow, fileLimit, connections }: DescriptorPlan): void {
  if (isLow)
    logger.warn(
      { fileLimit, maxConnections: connections },
      'the limit on open files is low; raise it (ulimit -n, LimitNOFILE) to serve more people at once',
    );
}
