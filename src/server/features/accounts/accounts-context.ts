import type { Clock } from '#base/clock.ts';
import type { Database } from '../../storage/database/database.ts';
import type { SessionRow, UserRow } from '../../storage/database/schema.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Passwords } from './passwords/passwords.ts';

/** What the account operations work with. */
export interface AccountsContext {
  database: Database;
  clock: Clock;
  signUp: 'open' | 'closed';
  throttle: LoginThrottle;
  passwords: Passwords;
}

/** Where a request comes from, and the session it brought. */
export interface Caller { ip: string; userAgent: string | undefined; presentedToken: string | null }

/** A person just signed in, with the token that no row and no reply body may hold. */
export interface NewSignIn {
  user: UserRow;
  session: SessionRow;
  token: string;
  /** The session this browser had before, ended now. */
  ended: SessionRow | null;
  passwordHash: string;
}
