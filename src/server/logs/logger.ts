import { destination, pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { OutageCounter } from './outage-counter.ts';
import { workContext } from './work-context.ts';

const secrets = [
  'headers.cookie',
  'headers.authorization',
  'headers["set-cookie"]',
  'headers["upload-capability"]',
  '*.headers.cookie',
  '*.headers.authorization',
  '*.headers["set-cookie"]',
  '*.headers["upload-capability"]',
  'token',
  '*.token',
  'password',
  '*.password',
];

/** Returns the ids of the job that writes a line. The lines of a request have its id from `request.log`. */
function idsOfJob(): { requestId?: string; jobId?: string } {
  const { requestId = null, jobId = null } = workContext.getStore() ?? {};
  if (jobId === null) return {};
  return requestId === null ? { jobId } : { requestId, jobId };
}

/** Returns which outage a line is about (`outageFields`), null for other lines. */
const outageOf = (fields: unknown): string | null =>
  typeof fields === 'object' && fields !== null && 'err' in fields && 'outage' in fields
    ? String(fields.outage)
    : null;

/**
 * Creates the logger of a server. It writes JSON lines with secrets redacted; those of a job have its `jobId`, and the
 * `requestId` of the request that caused it. Failures of one outage (`outageFields`) are logged once, then counted each
 * minute.
 * @param stream where the lines go; standard error unless given
 */
export function createLogger(level: LevelWithSilent, stream: DestinationStream = destination(2)): Logger {
  const outages = new OutageCounter({
    onContinued: (report) => logger.warn(report, 'an outage continues'),
    onEnded: (report) => logger.warn(report, 'an outage has ended'),
  });
  const logger = pino(
    {
      level,
      redact: { paths: secrets, censor: '[redacted]' },
      mixin: idsOfJob,
      hooks: {
        logMethod(line, write) {
          const outage = outageOf(line[0]);
          if (outage === null || outages.count(outage)) write.apply(this, line);
        },
      },
    },
    stream,
  );
  return logger;
}
