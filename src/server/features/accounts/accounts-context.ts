import type { Clock } from '#base/clock.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import type { Passwords } from './credentials/passwords.ts';
import type { SecretBox } from './challenges/secret-box.ts';
import type { LoginThrottle } from './throttle/login-throttle.ts';
import type { IsUsableIdentity } from './credentials/usable-credentials.ts';

/** What the account operations work with. */
export interface AccountsContext {
  database: Database;
  clock: Clock;
  queue: JobQueue;
  /** The address people use, without a slash at its end. */
  publicUrl: string;
  signUp: 'open' | 'closed';
  /** What the first account has to bring; null where nobody but this machine can reach the installation. */
  setUpCode: string | null;
  /** Whether this server sends mail: addresses are then proven before they count. */
  hasMail: boolean;
  throttle: LoginThrottle;
  passwords: Passwords;
  secrets: SecretBox;
  isUsableIdentity: IsUsableIdentity;
}

/** Where a request comes from, and the session it brought. */
export interface Caller {
  ip: string;
  userAgent: string | undefined;
  presentedToken: string | null;
}

/** A session that was begun or renewed, with the token that no row and no reply body may hold. */
export interface NewSignIn {
  user: UserRow;
  session: SessionRow;
  token: string;
  /** The session this browser had before, ended now. */
  ended: SessionRow | null;
  /** Set where this device has proven that it belongs to whoever knows this password. */
  passwordHash: string | null;
}
