import { createHash } from 'node:crypto';
import { BoundedMap } from '#base/bounded-map.ts';
import { minute, second } from '#base/duration.ts';
import { lostStoreOf } from '#base/errors/lost-store.ts';
import type { Identify, SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { inTime } from '#server/jobs/in-time.ts';

/** A session that ended on another server, which still reaches the database, counts for this much longer at most. */
const rememberedMs = minute;
/** A database that takes longer counts as lost. */
const maxLookUpMs = 2 * second;
const retryAfterSeconds = 10;
/** More administrators than any installation has. */
const maxRemembered = 1000;

interface Remembered {
  principal: SessionPrincipal;
  atMs: number;
}

const keyOf = (cookieToken: string): string => createHash('sha256').update(cookieToken).digest('hex');

/**
 * Remembers the sessions of administrators that the database confirmed in the last minute. While it is lost, they alone
 * may read the few routes that say so (`Route.outlivesDatabase`).
 */
export class RememberedAdmins {
  readonly #nowMs: () => number;
  readonly #byToken = new BoundedMap<string, Remembered>(maxRemembered);

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Identifies by the database, and remembers administrators. */
  remembering(session: Identify['session']): Identify['session'] {
    return async (request) => {
      const found = await session(request);
      if (request.cookieToken !== null) this.#note(keyOf(request.cookieToken), found);
      return found;
    };
  }

  /**
   * Identifies as `session`, and while the database is lost by what is remembered.
   * @throws unavailable (503) if the database is lost and the session is not remembered
   */
  outliving(session: Identify['session']): Identify['session'] {
    return async (request) => {
      try {
        const found = await inTime(session(request), {
          timeoutMs: maxLookUpMs,
          otherwise: 'late' as const,
        });
        if (found !== 'late') return found;
      } catch (error) {
        if (lostStoreOf(error) === null) throw error;
      }
      const remembered = request.cookieToken === null ? null : this.#find(keyOf(request.cookieToken));
      if (remembered === null) throw new ProblemError('unavailable', { retryAfterSeconds });
      return remembered;
    };
  }

  /** Forgets a session that has ended. */
  forget(sessionId: string): void {
    this.#byToken.deleteWhere(({ principal }) => principal.sessionId === sessionId);
  }

  #note(key: string, found: Awaited<ReturnType<Identify['session']>>): void {
    if (found === null || found === 'expired' || found.role !== 'admin') this.#byToken.delete(key);
    else this.#byToken.set(key, { principal: found, atMs: this.#nowMs() });
  }

  #find(key: string): SessionPrincipal | null {
    const remembered = this.#byToken.get(key);
    if (remembered === undefined) return null;
    if (this.#nowMs() - remembered.atMs < rememberedMs) return remembered.principal;
    this.#byToken.delete(key);
    return null;
  }
}
