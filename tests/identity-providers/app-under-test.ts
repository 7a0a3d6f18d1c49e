import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { second } from '#base/duration.ts';
import type { ProviderAnswer } from '#contract/provider-answer.ts';
import { finishTestSignIn, type TestSignInResult } from '#contract/providers-api.ts';
import type { ComposeOverrides } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import type { HttpLogger } from '#server/http/app.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { Database } from '#server/storage/database/database.ts';
import { WebVisitor } from '#scripts/demo/web-visitor.ts';
import { cheapHash, composedServer, publicUrl } from '#tests/support/composed-server.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';

export { publicUrl };

export const password = 'kettle river umbrella noon';

/** Real time, because providers' tokens contain it, plus the time that a test has advanced. */
interface MovableClock {
  nowMs(): number;
  advance(durationMs: number): void;
}

function movableClock(): MovableClock {
  let passedMs = 0;
  return {
    nowMs: () => Date.now() + passedMs,
    advance: (durationMs) => {
      passedMs += durationMs;
    },
  };
}

export type Answer = ProviderAnswer['body'];

/** The options of a sign-in, besides the provider. */
export interface SignInOptions {
  intent?: 'sign-in' | 'link' | 'reauthenticate';
  display?: 'popup' | 'redirect';
  returnTo?: string;
  remember?: boolean;
  locale?: string;
  setUpCode?: string;
}

/** A user's browser, which injects requests into the app and visits providers over the network. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly visitor: WebVisitor;
  readonly #app: FastifyInstance;
  readonly #ip: string;

  constructor(app: FastifyInstance, options: { ip?: string; network?: typeof fetch } = {}) {
    this.#app = app;
    this.#ip = options.ip ?? '192.0.2.7';
    this.visitor = new WebVisitor(options.network);
  }

  async send(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<LightMyRequestResponse> {
    const response = await this.#app.inject({
      method,
      url,
      cookies: Object.fromEntries(this.cookies),
      remoteAddress: this.#ip,
      headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot', ...options.headers },
      ...(options.body ? { payload: options.body } : {}),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  post(url: string, body: object): Promise<LightMyRequestResponse> {
    return this.send('POST', url, { body });
  }

  /** The first phase. Returns the URL of the provider's authorization endpoint. */
  async start(provider: string, body: SignInOptions = {}): Promise<string> {
    const response = await this.post(`/auth/${provider}`, body);
    if (response.statusCode !== 200)
      throw new Error(`phase one returned ${response.statusCode}: ${response.body}`);
    return response.json<{ authorizationUrl: string }>().authorizationUrl;
  }

  /** Visits the provider as `account` until it redirects back. Returns the parameters of the redirect. */
  async visit(authorizationUrl: string, account = 'ann'): Promise<Answer> {
    const back = await this.visitor.goUntil((url) => url.origin === publicUrl, authorizationUrl, account);
    return Object.fromEntries(back.searchParams);
  }

  /** Starts a sign-in, signs in at the provider and completes it with the provider's response. */
  async signIn(provider: string, account = 'ann', body: SignInOptions = {}): Promise<LightMyRequestResponse> {
    const answer = await this.visit(await this.start(provider, body), account);
    return this.post(`/auth/${provider}`, answer);
  }

  /** Starts a test sign-in, and signs in at the provider. Returns the provider's response. */
  async visitForTest(provider: string, account = 'ann'): Promise<Answer> {
    const response = await this.post(`/api/admin/providers/${provider}/test/sign-in`, {});
    if (response.statusCode !== 200)
      throw new Error(`the test did not start: ${response.statusCode} ${response.body}`);
    return this.visit(response.json<{ authorizationUrl: string }>().authorizationUrl, account);
  }

  finishTest(provider: string, answer: Answer): Promise<LightMyRequestResponse> {
    return this.post(`/api/admin/providers/${provider}/test/sign-in/finish`, answer);
  }

  /** A whole test sign-in of an administrator. */
  async testSignIn(provider: string, account = 'ann'): Promise<TestSignInResult> {
    const response = await this.finishTest(provider, await this.visitForTest(provider, account));
    return finishTestSignIn.reply.parse(response.json());
  }

  signUp(email: string): Promise<LightMyRequestResponse> {
    return this.post('/auth/signup', { email, password, displayName: email.split('@')[0] ?? email });
  }

  async whoAmI(): Promise<{ id: string; displayName: string; email: string | null } | null> {
    return (await this.send('GET', '/auth/session')).json<{
      user: { id: string; displayName: string; email: string | null } | null;
    }>().user;
  }

  async identities(): Promise<{ id: string; provider: string; email: string | null; isUsable: boolean }[]> {
    return (await this.send('GET', '/auth/identities')).json<{
      identities: { id: string; provider: string; email: string | null; isUsable: boolean }[];
    }>().identities;
  }
}

export interface AppUnderTest {
  app: FastifyInstance;
  clock: MovableClock;
  database: Database;
  ended: string[];
  newBrowser(ip?: string): Browser;
  count(table: 'users' | 'sessions' | 'identities' | 'oauth_flows'): Promise<number>;
  /** Reasons of all rejections in the audit log. */
  rejections(): Promise<string[]>;
}

/** Test-specific configuration. `network` is how its browsers reach providers. */
type AppOptions = Partial<Pick<Config, 'publicUrl' | 'signUp' | 'providers'>> &
  Pick<ComposeOverrides, 'fetch' | 'providerCallsPerTenMinutes'> & {
    mailer?: Mailer;
    network?: typeof fetch;
    setUpCode?: string;
    logger?: HttpLogger;
  };

/** The composed server with these providers on this database. */
export function appUnderTest(database: Database, options: AppOptions = {}): AppUnderTest {
  const {
    network,
    mailer = null,
    setUpCode = null,
    logger,
    fetch: fetchOfProviders,
    providerCallsPerTenMinutes = 100_000,
    ...config
  } = options;
  const clock = movableClock();
  const { app, ended } = composedServer({
    database,
    blobs: new MemoryBlobStore(),
    clock,
    config,
    mailer,
    setUpCode,
    ...(logger ? { logger } : {}),
    overrides: {
      throttleLimits: { signUpsPerHour: 1000, signUpTriesPerHour: 1000 },
      hashCost: cheapHash,
      providerCallsPerTenMinutes,
      ...(fetchOfProviders ? { fetch: fetchOfProviders } : {}),
    },
  });
  return {
    app,
    clock,
    database,
    ended,
    newBrowser: (ip) =>
      new Browser(app, { ...(ip === undefined ? {} : { ip }), ...(network ? { network } : {}) }),
    count: async (table) =>
      (
        await database.queries
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    async rejections() {
      const rows = await database.queries
        .selectFrom('audit_events')
        .select('detail')
        .where('action', '=', 'session.refused')
        .orderBy('at')
        .orderBy('id')
        .execute();
      return rows.map(({ detail }) => String((JSON.parse(detail) as { reason: unknown }).reason));
    },
  };
}

/** After this time an authentication no longer counts as recent. */
export const proofIsOldMs = 601 * second;
