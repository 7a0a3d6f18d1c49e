import { destination, pino, type Logger } from 'pino';
import type { Config } from './config.ts';

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

/** Writes JSON lines to standard error, with secrets redacted. */
export function createLogger(level: Config['logLevel']): Logger {
  return pino({ level, redact: { paths: secrets, censor: '[redacted]' } }, destination(2));
}
