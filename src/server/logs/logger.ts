import { destination, pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
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

/**
 * Creates the logger of a server. It writes JSON lines with secrets redacted; those of a job have its `jobId`, and the
 * `requestId` of the request that caused it.
 * @param stream where the lines go; standard error unless given
 */
export function createLogger(level: LevelWithSilent, stream: DestinationStream = destination(2)): Logger {
  return pino({ level, redact: { paths: secrets, censor: '[redacted]' }, mixin: idsOfJob }, stream);
}
