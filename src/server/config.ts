import { z } from 'zod';
import { day, hour, minute, second } from '#base/duration.ts';
import type { BackupSettings } from './features/backups/create-backups.ts';
import type { ProviderSettings } from './features/accounts/providers/provider-settings.ts';
import { isLoopback } from './http/edge/loopback.ts';
import { isProviderVariable, readProviders } from './provider-config.ts';
import { withSecretFiles } from './secret-files.ts';
import { serviceUrlMistake } from './service-url.ts';
import { backupPlaceMistake } from './storage/backups/backup-place.ts';
import { storageUrlMistake } from './storage/blobs/storage-url.ts';

export interface Config {
  host: string;
  port: number;
  /** Folder of the recordings, the secret key and the embedded database. */
  dataDir: string;
  /** The public address, without a trailing slash. */
  publicUrl: string;
  /** The address of links to shared recordings, without a trailing slash; null for that of the server. */
  shareUrl: string | null;
  /** `postgres://…`, or empty for the embedded database. */
  databaseUrl: string;
  /** How many connections to PostgreSQL the server may open. */
  databasePool: number;
  /** Whether a server that starts runs pending migrations; otherwise they end its start. */
  migratesAtStart: boolean;
  /** What this server does: answer requests, run jobs, or both. */
  role: 'all' | 'web' | 'worker';
  /** How long a server that was told to stop still answers, while `/readyz` is 503. */
  drainMs: number;
  /** `disk:` for files below `dataDir`, or `s3://bucket/prefix?endpoint=…` for PostgreSQL and an object store. */
  storageUrl: string;
  /** The credentials of the object store; both empty for the chain of the AWS SDK. */
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
  /** The database of the newest bytes, if it is not that of `databaseUrl`; else empty. */
  hotDatabaseUrl: string;
  /** How many bytes may wait in the database to be moved to the object store. */
  hotLimitBytes: number;
  trustedProxyHops: number;
  /** How many connections one address may hold; Infinity for no limit, null for a share of all. */
  connectionsPerAddress: number | null;
  signUp: 'open' | 'closed';
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Opens /metrics to other machines that send this bearer token; empty: this machine only. */
  metricsToken: string;
  /** Bytes that each user may store unless they have a different quota; null for no limit. */
  quotaBytes: number | null;
  /** The quota that accounts get at an open sign-up; 0: none; null: a fifth of the disk, at most 50 GB. */
  signUpQuotaBytes: number | null;
  /** Disk space reserved for running takes; null: 1 GiB or 5 % of the disk, whichever is smaller. */
  diskReserveBytes: number | null;
  /** The ffmpeg program, for audio other than Opus; empty: the one found on `searchPath`, if any. */
  ffmpegPath: string;
  /** Folders with programs, joined by the system's separator. */
  searchPath: string;
  /** Encrypts secrets in the database; empty: a key that is generated in `dataDir`. */
  secretKey: string;
  /** The fingerprint of a lost secret key that the operator abandons; empty: none. */
  forgetSecretKey: string;
  /** The number of stored recordings that the operator abandons although the database is empty; null: none. */
  forgetRecordings: number | null;
  /** The server for outgoing e-mail, `smtps://user:password@host`; empty: this server sends none. */
  smtpUrl: string;
  /** The sender of e-mail. */
  mailFrom: string;
  /** Scheduled backups; null for none. */
  backups: BackupSettings | null;
  /** Whether users can have recordings transcribed. */
  transcribes: boolean;
  /** How many processors a transcription uses; null: all but one, at most four. */
  transcriberThreads: number | null;
  /** Where speech models are downloaded from, without a trailing slash. */
  modelsUrl: string;
  /** A transcription server with OpenAI's interface, without `/v1`; empty: this server transcribes. */
  transcriberUrl: string;
  /** The bearer token of that server; empty: none. */
  transcriberKey: string;
  /** The model that is named to that server. */
  transcriberModel: string;
  /** The credentials of the bucket of backups; both empty for the chain of the AWS SDK. */
  backupS3AccessKeyId: string;
  backupS3SecretAccessKey: string;
  /** The providers that users can sign in with. */
  providers: ProviderSettings[];
}

/**
 * Checks the public address. Microphones and session cookies require a secure page; browsers treat loopback as
 * one.
 */
function publicUrlMistake(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be an address that begins with https://';
  if (url.pathname !== '/' || url.search || url.hash)
    return 'must have no path: Earshot must be at the root of its host';
  return url.protocol === 'https:' || isLoopback(url)
    ? null
    : 'must begin with https:// unless it is localhost: browsers allow microphones only on secure pages';
}

function isAddress(text: string): boolean {
  try {
    decodeURIComponent(new URL(text).href);
    return true;
  } catch {
    return false;
  }
}

const anyWhole = (largest: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number' })
    .transform(Number)
    .refine((value) => value <= largest, { error: `must be at most ${largest}` });
const whole = (fallback: number, largest: number) => anyWhole(largest).default(fallback);

/** A text without a mistake, which follows the name of the variable in the message. */
const checkedText = (mistakeOf: (text: string) => string | null) =>
  z.string().superRefine((text, context) => {
    const mistake = mistakeOf(text);
    if (mistake !== null) context.addIssue({ code: 'custom', message: mistake });
  });

/** An address of its own for this server. */
const addressSchema = checkedText(publicUrlMistake)
  .transform((text) => new URL(text).origin)
  .optional();

/** The address of another server that this one calls, without a trailing slash. */
const serviceAddressSchema = checkedText(serviceUrlMistake).transform((text) => text.replace(/\/+$/, ''));

const postgresSchema = z
  .string()
  .regex(/^postgres(ql)?:\/\//, {
    error: 'must begin with postgres://, or be left out for the embedded database',
  })
  .refine(isAddress, {
    error:
      'must be a complete address, postgres://user:password@host:port/database; special characters of the password are written as %XX',
  });

/** The tails of 3,000 takes. */
const defaultHotLimitBytes = 8 * 1024 ** 3;
/** One move of a tail. */
const minHotLimitBytes = 16 * 1024 ** 2;

const unitsMs: Readonly<Record<string, number>> = { m: minute, h: hour, d: day };

/** A length of time, `90m`, `24h` or `7d`, in milliseconds. */
const intervalSchema = z
  .string()
  .regex(/^\d{1,4}[mhd]$/, { error: 'must be a number with its unit, such as 24h (m, h or d)' })
  .transform((text) => Number(text.slice(0, -1)) * (unitsMs[text.slice(-1)] ?? Number.NaN))
  .refine((intervalMs) => intervalMs >= 10 * minute && intervalMs <= 31 * day, {
    error: 'must be between 10m and 31d',
  });

/** In the order of the table in docs/self-hosting/reference.md. */
const environmentSchema = z.object({
  // An IPv6 address may be in brackets, as in a URL.
  HOST: z
    .string()
    .min(1)
    .refine((host) => !host.includes('/'), {
      error: 'must be an address or a host name, without http:// and without a path',
    })
    .transform((host) => /^\[(.+)\]$/.exec(host)?.[1] ?? host)
    .default('127.0.0.1'),
  PORT: whole(3000, 65_535),
  DATA_DIR: z.string().min(1).default('./data'),
  PUBLIC_URL: addressSchema,
  SHARE_URL: addressSchema,
  DATABASE_URL: postgresSchema.default(''),
  DATABASE_POOL: whole(10, 1000).refine((value) => value >= 2, { error: 'must be at least 2' }),
  MIGRATE: z.enum(['auto', 'never'], { error: 'must be auto or never' }).default('auto'),
  ROLE: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
  DRAIN_MS: anyWhole(120_000).optional(),
  STORAGE_URL: checkedText(storageUrlMistake).default('disk:'),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  HOT_LIMIT_BYTES: whole(defaultHotLimitBytes, Number.MAX_SAFE_INTEGER).refine(
    (bytes) => bytes >= minHotLimitBytes,
    { error: `must be at least ${minHotLimitBytes}` },
  ),
  HOT_DATABASE_URL: postgresSchema.default(''),
  TRUSTED_PROXY_HOPS: whole(0, 16),
  CONNECTIONS_PER_ADDRESS: anyWhole(1_000_000)
    .transform((value) => (value === 0 ? Infinity : value))
    .optional(),
  SIGN_UP: z.enum(['open', 'closed'], { error: 'must be open or closed' }).default('open'),
  BACKUP_TO: checkedText(backupPlaceMistake).default(''),
  BACKUP_S3_ACCESS_KEY_ID: z.string().default(''),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().default(''),
  BACKUP_EVERY: intervalSchema.default(day),
  BACKUP_KEEP_DAILY: whole(7, 1000),
  BACKUP_KEEP_WEEKLY: whole(4, 1000),
  QUOTA_BYTES: anyWhole(Number.MAX_SAFE_INTEGER).nullable().default(null),
  SIGN_UP_QUOTA_BYTES: anyWhole(Number.MAX_SAFE_INTEGER).nullable().default(null),
  DISK_RESERVE_BYTES: anyWhole(Number.MAX_SAFE_INTEGER).nullable().default(null),
  FFMPEG_PATH: z.string().default(''),
  PATH: z.string().default(''),
  TRANSCRIBE: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  TRANSCRIBE_THREADS: anyWhole(64)
    .refine((threads) => threads >= 1, { error: 'must be at least 1' })
    .nullable()
    .default(null),
  MODELS_URL: serviceAddressSchema.default('https://huggingface.co'),
  TRANSCRIBER_URL: serviceAddressSchema.transform((url) => url.replace(/\/v1$/, '')).default(''),
  TRANSCRIBER_KEY: z
    .string()
    .regex(/^[\u0021-\u007E]+$/, { error: 'must have no spaces and no characters outside of ASCII' })
    .default(''),
  TRANSCRIBER_MODEL: z
    .string()
    .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'must have at most 200 characters' })
    .default('whisper-1'),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).default(''),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('warn'),
  SECRET_KEY: z.string().min(32, { error: 'must have at least 32 characters' }).default(''),
  FORGET_RECORDINGS: anyWhole(Number.MAX_SAFE_INTEGER).nullable().default(null),
  FORGET_SECRET_KEY: z.string().default(''),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]/, { error: 'must begin with smtp:// or smtps://' })
    .refine(isAddress, {
      error:
        'must be a complete address, smtps://user:password@host; special characters of the password are written as %XX',
    })
    .default(''),
  MAIL_FROM: z
    .string()
    .regex(/^[^\p{Cc}]*[^\s@]+@[^\s@]+$/u, { error: 'must be an address, alone or as Name <address>' })
    .default(''),
});

/** The variables that the server reads, without those of the identity providers. */
export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);

/** The environment is invalid; `mistakes` describes every wrong variable for the operator. */
export class ConfigError extends Error {
  readonly mistakes: string[];
  constructor(mistakes: string[]) {
    super(
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

/** E-mail needs both a server and a sender, or neither. */
function mailMistakes(given: Record<string, string | undefined>): string[] {
  return 'SMTP_URL' in given === 'MAIL_FROM' in given ? [] : ['SMTP_URL and MAIL_FROM must be set together'];
}

/** Cookies of links are those of the server's scheme, so links can't have another one. */
function shareUrlMistakes(given: Record<string, string | undefined>): string[] {
  const [share, server] = [given['SHARE_URL'], given['PUBLIC_URL']].map((text) => URL.parse(text ?? ''));
  return share && share.protocol !== (server?.protocol ?? 'http:')
    ? ['SHARE_URL must begin with the same scheme as PUBLIC_URL']
    : [];
}

/** Both describe another server. */
const transcriberMistakes = (given: Record<string, string | undefined>): string[] =>
  ['TRANSCRIBER_KEY', 'TRANSCRIBER_MODEL']
    .filter((name) => name in given && !('TRANSCRIBER_URL' in given))
    .map((name) => `${name} needs TRANSCRIBER_URL`);

/** Without a proxy nobody asks whether the server is ready. */
const defaultDrainMs = (proxyHops: number): number => (proxyHops > 0 ? 5 * second : 0);

/** A server with one role needs others with the other one, which have the same recordings. */
const roleMistakes = (given: Record<string, string | undefined>): string[] =>
  (given['ROLE'] ?? 'all') !== 'all' && given['STORAGE_URL']?.startsWith('s3:') !== true
    ? ['ROLE needs STORAGE_URL=s3://…: with other storage there is only one server']
    : [];

/** With an object store, the newest bytes are in PostgreSQL, and any number of servers share one key. */
function storageMistakes(given: Record<string, string | undefined>): string[] {
  const needed = given['STORAGE_URL']?.startsWith('s3:') === true ? ['DATABASE_URL', 'SECRET_KEY'] : [];
  return [
    ...['', 'BACKUP_']
      .map((prefix) => [`${prefix}S3_ACCESS_KEY_ID`, `${prefix}S3_SECRET_ACCESS_KEY`] as const)
      .filter(([id, secret]) => id in given !== secret in given)
      .map(([id, secret]) => `${id} and ${secret} must be set together`),
    ...needed
      .filter((name) => !(name in given))
      .map((name) => `STORAGE_URL=s3://… needs ${name}${reasonsForStorage[name] ?? ''}`),
  ];
}

const reasonsForStorage: Readonly<Record<string, string>> = {
  DATABASE_URL: ' of a PostgreSQL server, which stores the newest bytes of every recording',
  SECRET_KEY: ', which all servers of the installation share',
};

/** The schedule of backups; null without a folder for them. */
function backupSettings(
  data: Pick<
    z.output<typeof environmentSchema>,
    'BACKUP_TO' | 'BACKUP_EVERY' | 'BACKUP_KEEP_DAILY' | 'BACKUP_KEEP_WEEKLY'
  >,
): BackupSettings | null {
  if (data.BACKUP_TO === '') return null;
  return {
    to: data.BACKUP_TO,
    everyMs: data.BACKUP_EVERY,
    retention: { daily: data.BACKUP_KEEP_DAILY, weekly: data.BACKUP_KEEP_WEEKLY },
  };
}

/**
 * Reads the configuration from the environment. An empty variable counts as unset.
 * @throws ConfigError with all mistakes
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const withFiles = withSecretFiles(
    environment,
    (name) => variableNames.includes(name) || isProviderVariable(name),
  );
  const given = Object.fromEntries(
    Object.entries(withFiles.environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  const { providers, mistakes } = readProviders(given);
  const all = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []),
    ...withFiles.mistakes,
    ...mistakes,
    ...mailMistakes(given),
    ...shareUrlMistakes(given),
    ...storageMistakes(given),
    ...roleMistakes(given),
    ...transcriberMistakes(given),
  ];
  if (!parsed.success || all.length > 0) throw new ConfigError(all);
  const { data } = parsed;
  return {
    host: data.HOST,
    port: data.PORT,
    dataDir: data.DATA_DIR,
    publicUrl: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    shareUrl: data.SHARE_URL ?? null,
    databaseUrl: data.DATABASE_URL,
    databasePool: data.DATABASE_POOL,
    migratesAtStart: data.MIGRATE === 'auto',
    role: data.ROLE,
    drainMs: data.DRAIN_MS ?? defaultDrainMs(data.TRUSTED_PROXY_HOPS),
    storageUrl: data.STORAGE_URL,
    s3AccessKeyId: data.S3_ACCESS_KEY_ID,
    s3SecretAccessKey: data.S3_SECRET_ACCESS_KEY,
    hotDatabaseUrl: data.HOT_DATABASE_URL,
    hotLimitBytes: data.HOT_LIMIT_BYTES,
    trustedProxyHops: data.TRUSTED_PROXY_HOPS,
    connectionsPerAddress: data.CONNECTIONS_PER_ADDRESS ?? null,
    signUp: data.SIGN_UP,
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN,
    quotaBytes: data.QUOTA_BYTES,
    signUpQuotaBytes: data.SIGN_UP_QUOTA_BYTES,
    diskReserveBytes: data.DISK_RESERVE_BYTES,
    transcribes: data.TRANSCRIBE === 'on',
    transcriberThreads: data.TRANSCRIBE_THREADS,
    modelsUrl: data.MODELS_URL,
    transcriberUrl: data.TRANSCRIBER_URL,
    transcriberKey: data.TRANSCRIBER_KEY,
    transcriberModel: data.TRANSCRIBER_MODEL,
    backups: backupSettings(data),
    backupS3AccessKeyId: data.BACKUP_S3_ACCESS_KEY_ID,
    backupS3SecretAccessKey: data.BACKUP_S3_SECRET_ACCESS_KEY,
    ffmpegPath: data.FFMPEG_PATH,
    searchPath: data.PATH,
    providers,
    secretKey: data.SECRET_KEY,
    forgetSecretKey: data.FORGET_SECRET_KEY,
    forgetRecordings: data.FORGET_RECORDINGS,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
  };
}
