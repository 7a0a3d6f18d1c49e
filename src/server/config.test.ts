import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the configuration', () => {
  test('works without variables: everything has a default, and an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toEqual({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      backups: null,
      backupS3AccessKeyId: '',
      backupS3SecretAccessKey: '',
      publicUrl: 'http://localhost:3000',
      shareUrl: null,
      databaseUrl: '',
      databasePool: 10,
      migratesAtStart: true,
      role: 'all',
      drainMs: 0,
      storageUrl: 'disk:',
      s3AccessKeyId: '',
      s3SecretAccessKey: '',
      hotDatabaseUrl: '',
      hotLimitBytes: 8 * 1024 ** 3,
      trustedProxyHops: 0,
      connectionsPerAddress: null,
      signUp: 'open',
      logLevel: 'warn',
      ffmpegPath: '',
      searchPath: '',
      transcribes: true,
      transcriberThreads: null,
      modelsUrl: 'https://huggingface.co',
      transcriberUrl: '',
      transcriberKey: '',
      transcriberModel: 'whisper-1',
      metricsToken: '',
      quotaBytes: null,
      signUpQuotaBytes: null,
      diskReserveBytes: null,
      secretKey: '',
      forgetSecretKey: '',
      forgetRecordings: null,
      smtpUrl: '',
      mailFrom: '',
      providers: [],
    });
  });

  test('reads the schedule of backups, and rejects intervals without a unit or out of bounds', () => {
    expect(readConfig({ BACKUP_TO: '/mnt/backup' }).backups).toEqual({
      to: '/mnt/backup',
      everyMs: 86_400_000,
      retention: { daily: 7, weekly: 4 },
    });
    const settings = { BACKUP_TO: '/mnt/backup', BACKUP_EVERY: '90m', BACKUP_KEEP_DAILY: '2' };
    expect(readConfig(settings).backups).toMatchObject({
      everyMs: 5_400_000,
      retention: { daily: 2, weekly: 4 },
    });
    for (const every of ['24', '9m', '32d', '1 day', '-1h'])
      expect(() => readConfig({ ...settings, BACKUP_EVERY: every })).toThrow('BACKUP_EVERY must be');
  });

  test('reads a transcription server, which is reached by https unless it is on this machine', () => {
    for (const url of ['https://stt.example/', 'https://stt.example/v1', 'https://stt.example/v1/'])
      expect(
        readConfig({ TRANSCRIBER_URL: url, TRANSCRIBER_KEY: 'k', TRANSCRIBER_MODEL: 'm' }),
      ).toMatchObject({
        transcriberUrl: 'https://stt.example',
        transcriberKey: 'k',
        transcriberModel: 'm',
      });
    expect(readConfig({ TRANSCRIBER_URL: 'http://127.0.0.1:8000/stt' }).transcriberUrl).toBe(
      'http://127.0.0.1:8000/stt',
    );
    for (const url of [
      'http://stt.example',
      'stt.example',
      'https://a:b@stt.example',
      'https://stt.example?a',
    ])
      for (const name of ['TRANSCRIBER_URL', 'MODELS_URL'])
        expect(() => readConfig({ [name]: url })).toThrow(`${name} must`);
    expect(() => readConfig({ TRANSCRIBER_KEY: 'k' })).toThrow('TRANSCRIBER_KEY needs TRANSCRIBER_URL');
    for (const threads of ['0', '65', 'all'])
      expect(() => readConfig({ TRANSCRIBE_THREADS: threads })).toThrow('TRANSCRIBE_THREADS must');
  });

  test('reports all mistakes in one error', () => {
    const environment = {
      PORT: '70000',
      PUBLIC_URL: 'http://earshot.example',
      DATABASE_URL: 'mysql://x',
      SIGN_UP: 'maybe',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXY_HOPS: '-1',
    };
    expect(() => readConfig(environment)).toThrow(ConfigError);
    for (const name of Object.keys(environment))
      expect(() => readConfig(environment)).toThrow(`  ${name} must`);
  });

  test('requires both or neither of SMTP_URL and MAIL_FROM', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://127.0.0.1:25' })).toThrow(
      'SMTP_URL and MAIL_FROM must be set together',
    );
    expect(
      readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'Earshot <post@example.org>' }),
    ).toMatchObject({ smtpUrl: 'smtp://127.0.0.1:25', mailFrom: 'Earshot <post@example.org>' });
  });

  test('takes an address of its own for links, of the scheme of the server', () => {
    const environment = { PUBLIC_URL: 'https://ear.example', SHARE_URL: 'https://listen.example/' };
    expect(readConfig(environment).shareUrl).toBe('https://listen.example');
    for (const [wrong, message] of [
      ['listen.example', 'SHARE_URL must be an address that begins with https://'],
      ['https://listen.example/s', 'SHARE_URL must have no path'],
      ['http://localhost:8080', 'SHARE_URL must begin with the same scheme as PUBLIC_URL'],
    ] as const)
      expect(() => readConfig({ ...environment, SHARE_URL: wrong })).toThrow(message);
  });

  test('accepts an object store only together with PostgreSQL and a secret', () => {
    const environment = {
      STORAGE_URL: 's3://earshot/ear?endpoint=https://s3.example',
      DATABASE_URL: 'postgres://ann@127.0.0.1/ear',
      SECRET_KEY: 'x'.repeat(32),
    };
    expect(readConfig(environment)).toMatchObject({
      storageUrl: environment.STORAGE_URL,
      hotDatabaseUrl: '',
    });
    expect(() => readConfig({ ...environment, DATABASE_URL: '' })).toThrow(
      'STORAGE_URL=s3://… needs DATABASE_URL of a PostgreSQL server',
    );
    expect(() => readConfig({ ...environment, SECRET_KEY: '' })).toThrow(
      'STORAGE_URL=s3://… needs SECRET_KEY',
    );
    expect(() => readConfig({ ...environment, S3_ACCESS_KEY_ID: 'x' })).toThrow(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together',
    );
    expect(() => readConfig({ ...environment, STORAGE_URL: 's3://' })).toThrow(
      'STORAGE_URL must name a bucket',
    );
    expect(() => readConfig({ ...environment, HOT_LIMIT_BYTES: '5' })).toThrow(
      'HOT_LIMIT_BYTES must be at least',
    );
  });

  test('requires a secret that cannot be guessed', () => {
    expect(() => readConfig({ SECRET_KEY: 'short' })).toThrow('SECRET_KEY must have at least 32 characters');
  });

  test.for([
    'https://earshot.example',
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'https://earshot.example/',
  ])('accepts %s as an address', (url) => {
    expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(new URL(url).origin);
  });

  test.for([
    'earshot.example',
    'ftp://earshot.example',
    'http://192.168.1.4:3000',
    'https://earshot.example/sub',
    'https://earshot.example/?a=1',
  ])('rejects %s as an address', (url) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(/PUBLIC_URL must/);
  });
});
