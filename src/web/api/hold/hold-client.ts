import { freezeRequest } from './frozen-request.ts';
import { HeldRequests, type Entry, type Held } from './held-requests.ts';
import type { HoldEnvironment } from './hold-environment.ts';
import { HoldError } from './hold-error.ts';
import { judgeResponse, type Verdict } from './judge-response.ts';

const attempts = 2;
const confirmedHint = 'confirmed';
const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** A fetch that outlives a lost session: see README.md beside this file for the rules. */
export class HoldClient {
  readonly #environment: HoldEnvironment;
  readonly #held: HeldRequests;
  /** Counts ended episodes, so that an answer to an attempt of before is told from a fresh one. */
  #epoch = 0;
  #lastEnd: 'confirmed' | 'cancelled' = 'confirmed';
  #confirmedPrincipal: string | null = null;
  #isEpisodeOpen = false;
  #confirming: Promise<unknown> = Promise.resolve();

  constructor(environment: HoldEnvironment) {
    this.#environment = environment;
    this.#held = new HeldRequests(environment.limits, environment.schedule);
    environment.channel?.listen((hint) => {
      // The answer of the server counts, not the hint; a failure to ask leaves everything as it was.
      if (hint === confirmedHint) this.#confirmInTurn().catch(() => undefined);
    });
  }

  /** How many requests wait for a sign-in. */
  get heldCount(): number {
    return this.#held.size;
  }

  /**
   * Sends a request; where the session is gone, waits for the next sign-in and sends it once more.
   * @throws HoldError when it was let go without an answer; whatever fetch throws.
   */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const request = freezeRequest(url, init);
    const mayBeHeld = !this.#environment.isAuthCall(url);
    return this.#attempt({ request, principal: this.#environment.principal(), mayBeHeld, tries: 0, sentEpoch: this.#epoch });
  }

  /**
   * To be called after a sign-in: asks the server who is there, ends the episode, releases what waits, tells the other tabs.
   * @returns false when the server knows nobody: the episode stays open, everything goes on waiting.
   * @throws what asking threw; the episode stays open then too.
   */
  async confirm(): Promise<boolean> {
    const isConfirmed = await this.#confirmInTurn();
    if (isConfirmed) this.#environment.channel?.post(confirmedHint);
    return isConfirmed;
  }

  /** The person will not sign in: everything that waits is rejected with `login-cancelled`. Only in this tab. */
  cancel(): void {
    if (!this.#isEpisodeOpen) return;
    this.#endEpisode('cancelled');
    for (const held of this.#held.takeAll()) held.reject(new HoldError('login-cancelled'));
    this.#environment.emit({ type: 'login-cancelled' });
  }

  async #attempt(entry: Entry): Promise<Response> {
    const { request } = entry;
    request.signal?.throwIfAborted();
    entry.tries += 1;
    entry.sentEpoch = this.#epoch;
    const response = await this.#environment.fetch(request.url, request.init(this.#headersFor(entry)));
    const verdict = await judgeResponse(response);
    if (verdict.kind === 'session-lost' && entry.mayBeHeld) return this.#handleLostSession(entry, response, verdict.code);
    this.#report(verdict, request.url);
    return response;
  }

  /** Prepared per attempt: a request made by nobody belongs, after the sign-in, to whoever signed in. */
  #headersFor(entry: Entry): Record<string, string> {
    const { headers } = this.#environment;
    const expected = entry.principal ?? this.#environment.principal();
    return entry.mayBeHeld && expected !== null ? { ...headers, 'x-expected-principal': expected } : headers;
  }

  async #handleLostSession(entry: Entry, response: Response, code: string): Promise<Response> {
    const isStale = entry.sentEpoch < this.#epoch;
    if (entry.tries >= attempts) {
      if (!isStale) this.#openEpisode(code, entry.request.url);
      return response;
    }
    // Nobody will read it; its connection may go. Not awaited: a body that cannot be cancelled is no reason to wait.
    response.body?.cancel().catch(() => undefined);
    if (isStale) return this.#retryStale(entry);
    const waiting = this.#held.add(entry);
    this.#openEpisode(code, entry.request.url);
    return waiting;
  }

  /** The episode this 401 belongs to is over already: it shares that episode's end instead of opening another. */
  #retryStale(entry: Entry): Promise<Response> {
    if (this.#lastEnd === 'cancelled') throw new HoldError('login-cancelled');
    if (!isOwnedBy(entry, this.#confirmedPrincipal)) throw new HoldError('principal-changed');
    return this.#attempt(entry);
  }

  #report(verdict: Verdict, url: string): void {
    if (verdict.kind === 'forbidden') this.#environment.emit({ type: 'forbidden', code: verdict.code, url });
    else if (verdict.kind === 'reauthentication-required' || verdict.kind === 'principal-changed') this.#environment.emit({ type: verdict.kind, url });
  }

  #openEpisode(code: string, url: string): void {
    if (this.#isEpisodeOpen) return;
    this.#isEpisodeOpen = true;
    this.#environment.emit({ type: 'login-required', code, url });
  }

  #endEpisode(end: 'confirmed' | 'cancelled'): void {
    this.#epoch += 1;
    this.#lastEnd = end;
    this.#isEpisodeOpen = false;
  }

  /** One after another: an answer that was asked for before a sign-in must not speak for the time after it. */
  #confirmInTurn(): Promise<boolean> {
    const verification = this.#confirming.then(() => this.#verify());
    this.#confirming = verification.catch(() => undefined);
    return verification;
  }

  async #verify(): Promise<boolean> {
    const principal = await this.#environment.readPrincipal();
    if (principal === null) return false;
    this.#confirmedPrincipal = principal;
    this.#endEpisode('confirmed');
    this.#environment.emit({ type: 'login-confirmed', principal });
    this.#release(principal);
    return true;
  }

  #release(principal: string): void {
    const writes: Held[] = [];
    for (const held of this.#held.takeAll()) {
      if (!isOwnedBy(held.entry, principal)) held.reject(new HoldError('principal-changed'));
      else if (isRead(held.entry.request.method)) void this.#settle(held);
      else writes.push(held);
    }
    void this.#settleInOrder(writes);
  }

  /** A later write may build on an earlier one, so each waits for the answer to the one before. */
  async #settleInOrder(writes: Held[]): Promise<void> {
    for (const held of writes) await this.#settle(held);
  }

  #settle(held: Held): Promise<void> {
    return this.#attempt(held.entry).then(held.resolve, held.reject);
  }
}

/** Nobody's request may be sent by whoever signs in; somebody's only by that person. */
const isOwnedBy = (entry: Entry, principal: string | null) => entry.principal === null || entry.principal === principal;
