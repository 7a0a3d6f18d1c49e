import { z } from 'zod';

export interface Config {
  host: string;
  port: number;
  /** Where the database and the recordings rest, unless they are told to rest elsewhere. */
  dataDir: string;
  /** The address people use, without a slash at its end. */
  publicUrl: string;
  /** `postgres://…`, or empty for the embedded database. */
  databaseUrl: string;
  trustedProxyHops: number;
  signUp: 'open' | 'closed';
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Opens /metrics to other machines that send it as a bearer token; empty: this machine only. */
  metricsToken: string;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
const isLoopback = (url: URL): boolean => loopback.has(url.hostname) || url.hostname.endsWith('.localhost');

/** A microphone and a session cookie both need a secure page; browsers count loopback as one. */
function publicUrlMistake(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an address that begins with https://';
  if (url.pathname !== '/' || url.search || url.hash) return 'must have no path: Earshot lives at the root of its host';
  return url.protocol === 'https:' || isLoopback(url) ? null : 'must begin with https:// unless it is localhost: browsers give a microphone to secure pages only';
}

const whole = (fallback: number, largest: number) =>
  z.string().regex(/^\d+$/, { error: 'must be a whole number' }).transform(Number).refine((value) => value <= largest, { error: `must be at most ${largest}` }).default(fallback);

const environmentSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole(3000, 65_535),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: z.string().superRefine((text, context) => {
    const mistake = publicUrlMistake(text);
    if (mistake) context.addIssue({ code: 'custom', message: mistake });
  }).transform((text) => new URL(text).origin).optional(),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres://, or be left out for the embedded database' }).optional(),
  STORAGE_URL: z.never({ error: 'is not supported: recordings are kept in DATA_DIR' }).optional(),
  TRUSTED_PROXY_HOPS: whole(0, 16),
  SIGN_UP: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { error: 'must be fatal, error, warn, info, debug, trace or silent' }).default('warn'),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
});

/** The environment is wrong; `mistakes` names every variable that is, in words for the operator. */
export class ConfigError extends Error {
  readonly mistakes: string[];
  constructor(mistakes: string[]) {
    super(`The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

/** Reads the configuration from the environment, an empty variable counting as none. Throws ConfigError with every mistake at once. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  const { data } = parsed;
  return {
    host: data.HOST, port: data.PORT, dataDir: data.DATA_DIR, publicUrl: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    databaseUrl: data.DATABASE_URL ?? '', trustedProxyHops: data.TRUSTED_PROXY_HOPS, signUp: data.SIGN_UP, logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN ?? '',
  };
}
