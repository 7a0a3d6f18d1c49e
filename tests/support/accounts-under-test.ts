import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { problemSchema } from '#contract/errors.ts';
import type { ComposeOverrides } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import { createSmtpMailer } from '#server/mail/mailer.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { cheapHash, composedServer, publicUrl } from './composed-server.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import type { GivenTokens } from './given-tokens.ts';
import { MemoryBlobStore } from './memory-blob-store.ts';
import { SmtpSink } from './smtp-sink.ts';

export { publicUrl };
export const goodPassword = 'kettle river umbrella noon';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';

/** A browser that sends requests to this server with its stored cookies and same-origin headers. */
export class Browser {
  readonly #app: FastifyInstance;
  readonly #ip: string;
  readonly #host: string;
  readonly cookies = new Map<string, string>();

  constructor(app: FastifyInstance, ip = '192.0.2.7', host = 'localhost') {
    this.#app = app;
    this.#ip = ip;
    this.#host = host;
  }

  async send(
    method: Method,
    url: string,
    options: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<LightMyRequestResponse> {
    const request: InjectOptions = {
      method,
      url,
      cookies: Object.fromEntries(this.cookies),
      remoteAddress: this.#ip,
      headers: {
        host: this.#host,
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
        'user-agent': firefox,
        ...options.headers,
      },
      ...(options.body ? { payload: options.body } : {}),
    };
    const response = await this.#app.inject(request);
    for (const { name, value, maxAge, expires } of response.cookies) {
      const gone = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0);
      if (gone) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  post(url: string, body: object = {}): Promise<LightMyRequestResponse> {
    return this.send('POST', url, { body });
  }

  /** A POST without a body. */
  postEmpty(url: string): Promise<LightMyRequestResponse> {
    return this.send('POST', url);
  }

  get sid(): string {
    return this.cookies.get('sid') ?? '';
  }

  async whoAmI(): Promise<string | null> {
    const response = await this.send('GET', '/auth/session');
    if (response.statusCode !== 200) throw new Error(`GET /auth/session returned ${response.statusCode}`);
    return response.json<{ user: { displayName: string } | null }>().user?.displayName ?? null;
  }
}

export interface Rejection {
  status: number;
  code: string;
  errors: { pointer: string; code: string }[];
}

/** Parses the problem document of a rejected request. */
export function rejection(response: LightMyRequestResponse): Rejection {
  expect(response.headers['content-type']).toContain('application/problem+json');
  const { status, code, errors = [] } = problemSchema.parse(response.json());
  expect(response.statusCode).toBe(status);
  return { status, code, errors };
}

/**
 * The JSON of a successful response.
 * @throws Error for any other status.
 */
export function answerOf<T>(response: LightMyRequestResponse): T {
  if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${response.body}`);
  return response.json<T>();
}

export interface AccountsUnderTest {
  app: FastifyInstance;
  clock: FakeClock;
  database: Database;
  blobs: BlobStore;
  /** The secrets that the server gave out. */
  tokens: GivenTokens;
  /** Receives the server's mails; null without mail. */
  post: SmtpSink | null;
  /** Ids of sessions whose end was published. */
  ended: string[];
  browser(ip?: string): Browser;
  /** Runs the jobs that are due, which sends mail. */
  work(): Promise<void>;
  /** The audit log, oldest entry first. */
  audit(): Promise<{ action: string; detail: string }[]>;
}

/** Test-specific configuration, secret key and limits. */
type AccountsOptions = Partial<
  Pick<Config, 'publicUrl' | 'signUp' | 'providers' | 'quotaBytes' | 'signUpQuotaBytes'>
> &
  Pick<ComposeOverrides, 'throttleLimits' | 'hashCost'> & {
    secretKey?: Uint8Array;
    setUpCode?: string;
    mail?: boolean;
  };

/** Composes the server on this database with a fake clock. `mail: true` sends mail to a sink. */
export async function accountsUnderTest(
  database: Database,
  options: AccountsOptions = {},
): Promise<AccountsUnderTest> {
  const {
    mail = false,
    secretKey,
    setUpCode = null,
    throttleLimits,
    hashCost = cheapHash,
    ...config
  } = options;
  const clock = fakeClock();
  const post = mail ? await SmtpSink.start() : null;
  const mailer = post && createSmtpMailer({ url: post.url, from: 'Earshot <post@earshot.example>' });
  onTestFinished(() => {
    mailer?.close();
  });
  const blobs = new MemoryBlobStore();
  const { app, tokens, ended, runJobs } = composedServer({
    database,
    blobs,
    clock,
    config,
    setUpCode,
    mailer,
    ...(secretKey ? { secretKey } : {}),
    overrides: {
      throttleLimits: throttleLimits ?? {
        signUpsPerHour: 1000,
        signUpTriesPerHour: 1000,
        proofsPerTenMinutes: 1000,
      },
      hashCost,
    },
  });
  return {
    app,
    clock,
    database,
    blobs,
    tokens,
    post,
    ended,
    browser: (ip) => new Browser(app, ip, new URL(config.publicUrl ?? publicUrl).host),
    async work() {
      await runJobs();
    },
    audit: async () =>
      (
        await database.queries
          .selectFrom('audit_events')
          .select(['action', 'detail', 'id'])
          .orderBy('at')
          .orderBy('id')
          .execute()
      ).map(({ action, detail }) => ({ action, detail })),
  };
}

let people = 0;

/** Creates an account and signs it in. */
export async function signUp(
  under: AccountsUnderTest,
  given: { ip?: string; email?: string } = {},
): Promise<{ browser: Browser; email: string; id: string }> {
  people += 1;
  const email = given.email ?? `person${people}@example.org`;
  const browser = under.browser(given.ip);
  const response = await browser.post('/auth/signup', {
    email,
    password: goodPassword,
    displayName: email.split('@')[0] ?? email,
  });
  if (!under.post) return { browser, email, id: answerOf<{ user: { id: string } }>(response).user.id };
  await under.work();
  const code = codeIn(under.post.to(email).at(-1)?.text ?? '');
  const verified = await browser.post('/auth/signup/verify', {
    flow: answerOf<{ flow: string }>(response).flow,
    code,
  });
  return { browser, email, id: answerOf<{ user: { id: string } }>(verified).user.id };
}

/** The eight-digit code in a mail. */
export const codeIn = (text: string): string => /^\d{8}$/m.exec(text)?.[0] ?? '';
/** The token of the link in a mail. */
export const tokenIn = (text: string): string => /#([\w-]{43})$/m.exec(text)?.[1] ?? '';
