import type { Clock } from '#base/clock.ts';
import { startSession } from '#server/features/accounts/sessions/sessions-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { storeUser } from '#tests/support/factories.ts';
import type { FuzzedRequest } from './fuzz-requests.ts';

/**
 * Sessions are replaced after this many requests, because a request may have ended the session or its account, and
 * each session is rate-limited.
 */
const requestsPerSession = 40;

/**
 * Creates sessions of members and admins directly in the database, because a sign-up for each would exceed the
 * sign-up limit.
 */
export class Senders {
  readonly #deps: { database: Database; clock: Clock };
  readonly #cookieName: string;
  readonly #cookies = new Map<string, string>();
  #count = 0;

  /** @param cookieName the session cookie's name at the server's URL */
  constructor(deps: { database: Database; clock: Clock }, cookieName: string) {
    this.#deps = deps;
    this.#cookieName = cookieName;
  }

  /** The headers that identify a sender. */
  async headersOf(
    who: FuzzedRequest['who'],
    bearer: Record<string, string>,
  ): Promise<Record<string, string>> {
    this.#count += 1;
    if (this.#count % requestsPerSession === 0) this.#cookies.clear();
    if (who === 'nobody') return {};
    if (who === 'bearer') return bearer;
    if (who === 'stranger') return { cookie: `${this.#cookieName}=nobody-knows` };
    const cookie = this.#cookies.get(who) ?? (await this.#start(who));
    this.#cookies.set(who, cookie);
    return { cookie };
  }

  async #start(role: 'member' | 'admin'): Promise<string> {
    const {
      database: { queries },
      clock,
    } = this.#deps;
    const { id: userId } = await storeUser(queries, { role });
    const { token } = await startSession(
      queries,
      {
        userId,
        remember: true,
        proof: { method: 'password', isSecondFactor: true },
        label: '',
        ip: '192.0.2.1',
      },
      { clock },
    );
    return `${this.#cookieName}=${token}`;
  }
}
