import { HoldClient } from './hold-client.ts';
import type { HoldEvent } from './hold-environment.ts';
import { HoldError } from './hold-error.ts';

export const problem = (status: number, code: string) =>
  new Response(
    JSON.stringify({ type: `/problems/${code}`, title: code, status, instance: 'urn:uuid:1', code }),
    {
      status,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    },
  );
export const ok = (text = 'ok') => new Response(text);

interface Sent {
  url: string;
  init: RequestInit;
  headers: Headers;
}
export type Answer = (sent: Sent) => Response | Promise<Response>;

/** The tabs of one browser. A hint of one tab reaches the others, as with BroadcastChannel. */
export class Browser {
  readonly #tabs = new Set<(hint: unknown) => void>();
  channel() {
    let own: (hint: unknown) => void = () => undefined;
    return {
      post: (hint: string) => this.#tabs.forEach((receive) => receive !== own && receive(hint)),
      listen: (receive: (hint: unknown) => void) => {
        own = receive;
        this.#tabs.add(receive);
      },
    };
  }
  forge(hint: unknown) {
    this.#tabs.forEach((receive) => receive(hint));
  }
}

/**
 * One tab with its hold client. `server.who` is the user of the cookie; `believed` is the user that the page
 * shows.
 */
export class Tab {
  readonly sent: Sent[] = [];
  readonly events: HoldEvent[] = [];
  readonly timers: { delayMs: number; action: () => void }[] = [];
  believed: string | null;
  questions = 0;
  nowMs = 0;
  keys = 0;
  readonly asked: { writes: number; answer: (isWanted: boolean) => void }[] = [];
  readonly client: HoldClient;

  constructor(
    server: { who: string | null; answer: Answer },
    options: { believed?: string | null; browser?: Browser; max?: number; maxBytes?: number } = {},
  ) {
    this.believed = options.believed ?? null;
    this.client = new HoldClient({
      fetch: async (url, init) => {
        const sent = { url, init, headers: new Headers(init.headers) };
        this.sent.push(sent);
        return server.answer(sent);
      },
      principal: () => this.believed,
      readPrincipal: async () => {
        this.questions += 1;
        this.believed = server.who;
        return server.who;
      },
      isAuthCall: (url) => url.startsWith('/auth/'),
      emit: (event) => this.events.push(event),
      confirmSending: (writes) =>
        new Promise((answer) => {
          this.asked.push({ writes, answer });
        }),
      clock: {
        nowMs: () => this.nowMs,
        schedule: (delayMs, action) => {
          const timer = { delayMs, action };
          this.timers.push(timer);
          return () => void this.timers.splice(this.timers.indexOf(timer), 1);
        },
      },
      newKey: () => `key-${(this.keys += 1)}`,
      limits: {
        maxMs: 900_000,
        max: options.max ?? 100,
        maxBytes: options.maxBytes ?? 1_000_000,
        confirmAfterMs: 120_000,
      },
      headers: { 'x-requested-with': 'earshot' },
      channel: options.browser?.channel() ?? null,
    });
  }
  count(type: HoldEvent['type']) {
    return this.events.filter((event) => event.type === type).length;
  }
}

/** The responses of a server that requires a session: 401 until a user is signed in. */
export const needsSession =
  (server: { who: string | null }): Answer =>
  ({ headers }) => {
    if (server.who === null) return problem(401, 'session-expired');
    const expected = headers.get('x-expected-principal');
    return expected !== null && expected !== server.who ? problem(409, 'principal-changed') : ok();
  };

/** Lets pending promise callbacks run. */
export const settled = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof HoldError ? error.code : error),
  );
