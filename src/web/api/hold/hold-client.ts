import { Episode, type HoldReason } from './episode.ts';
import { freezeRequest, type ReplayableRequest } from './replayable-request.ts';
import { PendingRequests, type Entry, type Held } from './pending-requests.ts';
import type { HoldEnvironment } from './hold-environment.ts';
import { HoldError } from './hold-error.ts';
import { classifyResponse, type Verdict } from './classify-response.ts';

const attempts = 2;
const confirmedHint = 'confirmed';
const keyHeader = 'idempotency-key';
const cancelled = { session: 'login-cancelled', 'step-up': 'reauthentication-cancelled' } as const;

export interface HoldOptions {
  /** Returns a 401 or 403 to the caller instead of waiting. */
  noHold?: boolean;
  /** Whether the call signs a user in or out, if its URL does not say so. */
  isAuthCall?: boolean;
  /** The user that the request belongs to, for work that may outlive a sign-out. By default, the signed-in user. */
  owner?: string | null;
  /** Creates the body of each attempt, for bodies that can be read only once. */
  bodyFactory?: () => BodyInit;
  /** The longest wait of this request, in milliseconds, instead of the general limit. */
  maxHoldMs?: number;
}

/** A fetch that survives a lost session. README.md in this folder has the rules. */
export class HoldClient {
  readonly #environment: HoldEnvironment;
  readonly #held: PendingRequests;
  readonly #episodes: Readonly<Record<HoldReason, Episode>> = {
    session: new Episode(),
    'step-up': new Episode(),
  };
  #confirmedPrincipal: string | null = null;
  #confirming: Promise<unknown> = Promise.resolve();
  /** The released writes that are being sent one after another; null if there are none. */
  #writing: Promise<void> | null = null;
  #isPrompting = false;
  #requestCount = 0;

  constructor(environment: HoldEnvironment) {
    this.#environment = environment;
    this.#held = new PendingRequests(environment.limits, environment.clock);
    environment.channel?.listen((hint) => {
      // A hint is untrusted, so only the server's response counts. A failed request changes nothing.
      if (hint === confirmedHint) this.#confirmInTurn().catch(() => undefined);
    });
  }

  /** The number of requests that wait for the user. */
  get heldCount(): number {
    return this.#held.size;
  }

  /**
   * Sends a request. If the session is gone or a recent proof is needed, waits for the user and sends it once
   * more.
   * @throws HoldError if it ended without a response; whatever fetch throws
   */
  async fetch(url: string, init: RequestInit = {}, options: HoldOptions = {}): Promise<Response> {
    const entry = this.#entryFor(freezeRequest(url, init, options.bodyFactory), options);
    // Released writes are sent first, because this write may build on one of them.
    if (this.#writing && entry.mayBeHeld && !isRead(entry.request.method)) await this.#writing;
    return this.#attempt(entry);
  }

  /**
   * Call this after a sign-in or a recent proof. Asks the server who is signed in, ends the episodes, releases the
   * waiting requests and notifies the other tabs.
   * @returns false if no user is signed in; the episodes stay open and every request continues to wait
   * @throws the error of the request to the server; the episodes stay open then too
   */
  async confirm(): Promise<boolean> {
    const isConfirmed = await this.#confirmInTurn();
    if (isConfirmed) this.#environment.channel?.post(confirmedHint);
    return isConfirmed;
  }

  /**
   * The user declined. Rejects the requests that wait for this reason with `login-cancelled` or
   * `reauthentication-cancelled`, in this tab only.
   */
  cancel(reason: HoldReason = 'session'): void {
    const episode = this.#episodes[reason];
    if (!episode.isOpen) return;
    episode.end('cancelled');
    for (const held of this.#held.take((waiting) => waiting.reason === reason))
      held.reject(new HoldError(cancelled[reason]));
    if (reason === 'session') this.#environment.emit({ type: 'login-cancelled' });
  }

  #entryFor(request: ReplayableRequest, options: HoldOptions): Entry {
    const {
      isAuthCall = this.#environment.isAuthCall(request.url),
      noHold = false,
      maxHoldMs = null,
      owner = null,
    } = options;
    return {
      request: isAuthCall ? request : withKey(request, this.#environment),
      principal: isAuthCall ? null : (owner ?? this.#environment.principal()),
      isAuthCall,
      mayBeHeld: !isAuthCall && !noHold,
      number: this.#requestCount++,
      maxHoldMs,
      tries: 0,
      sentAt: this.#now(),
    };
  }

  #now(): Record<HoldReason, number> {
    return { session: this.#episodes.session.ended, 'step-up': this.#episodes['step-up'].ended };
  }

  async #attempt(entry: Entry): Promise<Response> {
    const { request } = entry;
    request.signal?.throwIfAborted();
    entry.tries += 1;
    entry.sentAt = this.#now();
    const response = await this.#environment.fetch(request.url, request.init(this.#headersFor(entry)));
    const verdict = await classifyResponse(response);
    if (verdict.kind === 'waits' && entry.mayBeHeld) return this.#handleRejection(entry, response, verdict);
    // Such a call names no user, so only a broken proxy answers like this. Reporting it would make the page read the
    // session again, endlessly.
    if (verdict.kind !== 'principal-changed' || !entry.isAuthCall) this.#report(verdict, request.url);
    return response;
  }

  /** Created for each attempt, because a request made while signed out belongs to the user who signs in later. */
  #headersFor(entry: Entry): Record<string, string> {
    const { headers } = this.#environment;
    const expected = entry.isAuthCall ? null : (entry.principal ?? this.#environment.principal());
    return expected === null ? headers : { ...headers, 'x-expected-principal': expected };
  }

  /** Handles a rejection that a sign-in or a recent proof can turn into a success. */
  async #handleRejection(
    entry: Entry,
    response: Response,
    verdict: Verdict & { kind: 'waits' },
  ): Promise<Response> {
    const { reason } = verdict;
    const episode = this.#episodes[reason];
    const isStale = entry.sentAt[reason] < episode.ended;
    if (entry.tries >= attempts) {
      if (!isStale && reason === 'session') this.#open(verdict, entry.request.url);
      return response;
    }
    // Cancelling the unread body frees its connection. Not awaited: a body that cannot be cancelled must not delay
    // the request.
    response.body?.cancel().catch(() => undefined);
    if (isStale) return this.#retryStale(entry, reason);
    const waiting = this.#held.add(entry, reason);
    this.#open(verdict, entry.request.url);
    return waiting;
  }

  /**
   * The episode that this rejection belongs to is over. The request shares its outcome instead of opening another.
   */
  #retryStale(entry: Entry, reason: HoldReason): Promise<Response> {
    if (this.#episodes[reason].lastEnd === 'cancelled') throw new HoldError(cancelled[reason]);
    if (!isOwnedBy(entry, this.#confirmedPrincipal)) throw new HoldError('principal-changed');
    return this.#attempt(entry);
  }

  #report(verdict: Verdict, url: string): void {
    if (verdict.kind === 'forbidden') this.#environment.emit({ type: 'forbidden', code: verdict.code, url });
    else if (verdict.kind === 'principal-changed') this.#environment.emit({ type: 'principal-changed', url });
  }

  #open({ reason, code }: { reason: HoldReason; code: string }, url: string): void {
    if (!this.#episodes[reason].open()) return;
    this.#environment.emit(
      reason === 'session'
        ? { type: 'login-required', code, url }
        : { type: 'reauthentication-required', url },
    );
  }

  /**
   * Confirmations run one after another, because a response requested before a sign-in says nothing about the time
   * after it.
   */
  #confirmInTurn(): Promise<boolean> {
    const verification = this.#confirming.then(() => this.#verify());
    this.#confirming = verification.catch(() => undefined);
    return verification;
  }

  async #verify(): Promise<boolean> {
    const principal = await this.#environment.readPrincipal();
    if (principal === null) return false;
    this.#confirmedPrincipal = principal;
    for (const episode of Object.values(this.#episodes)) episode.end('confirmed');
    this.#environment.emit({ type: 'login-confirmed', principal });
    this.#release(principal);
    return true;
  }

  #release(principal: string): void {
    for (const held of this.#held.take(({ entry }) => !isOwnedBy(entry, principal)))
      held.reject(new HoldError('principal-changed'));
    for (const held of this.#held.take(({ entry }) => isRead(entry.request.method))) void this.#settle(held);
    void this.#releaseWrites();
  }

  /**
   * The user may no longer want a write that waited for long. All writes wait for the user's answer, because they
   * are in order.
   */
  async #releaseWrites(): Promise<void> {
    const { clock, limits } = this.#environment;
    const isOld = (held: Held) => clock.nowMs() - held.sinceMs > limits.confirmAfterMs;
    if (this.#isPrompting) return;
    const old = this.#held.count(isOld);
    if (old > 0 && !(await this.#confirmOldWrites(old)))
      for (const held of this.#held.take(isOld)) held.reject(new HoldError('hold-declined'));
    // The session may have been lost again meanwhile. Those requests wait for the next confirmation.
    const writes = this.#held.take((held) => !this.#episodes[held.reason].isOpen);
    if (writes.length > 0) await this.#settleInOrder(writes);
  }

  async #confirmOldWrites(writes: number): Promise<boolean> {
    this.#isPrompting = true;
    try {
      return await this.#environment.confirmSending(writes);
    } catch {
      return false;
    } finally {
      this.#isPrompting = false;
    }
  }

  /** A later write may build on an earlier one, so each waits for the response to the one before. */
  async #settleInOrder(writes: Held[]): Promise<void> {
    const before = this.#writing;
    const settling = (async () => {
      await before;
      for (const held of writes) await this.#settle(held);
    })();
    this.#writing = settling;
    await settling;
    if (this.#writing === settling) this.#writing = null;
  }

  #settle(held: Held): Promise<void> {
    return this.#attempt(held.entry).then(held.resolve, held.reject);
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Both attempts carry the same key, so that the server can recognise a repetition instead of applying it twice. */
function withKey(request: ReplayableRequest, { newKey }: Pick<HoldEnvironment, 'newKey'>): ReplayableRequest {
  if (request.method !== 'POST' && request.method !== 'PATCH') return request;
  const given = new Headers(request.init({}).headers).get(keyHeader);
  if (given !== null) return request;
  const key = newKey();
  return { ...request, init: (headersOfAttempt) => request.init({ [keyHeader]: key, ...headersOfAttempt }) };
}

/** A request without a user may be sent by the user who signs in; a user's request only by that user. */
const isOwnedBy = (entry: Entry, principal: string | null) =>
  entry.principal === null || entry.principal === principal;
