import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { day, second } from '#base/duration.ts';
import type { Passwords } from '#server/features/accounts/credentials/passwords.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import type { LinkThrottle } from './link-throttle.ts';
import type { VisitCookies } from './visits.ts';

/** As for the passwords of accounts (NIST SP 800-63B-4 §3.2.2). */
const maxWrongPerDay = 100;
/** As for sessions: the name of the scheme is one that browsers do not know, so they show no prompt. */
const challenge = { 'WWW-Authenticate': 'Share realm="earshot-share"' };

export interface UnlockDeps {
  database: Database;
  clock: Clock;
  passwords: Pick<Passwords, 'verify'>;
  throttle: LinkThrottle;
  visits: VisitCookies;
  announce: Pick<ChangeAnnouncer, 'sharesChanged'>;
}

/**
 * Counts a wrong password. Too many in a day lock the password, until the owner sets another one.
 * @returns whether this one has locked it
 */
async function countWrong(
  queries: Queries,
  { id, password_version: version }: ShareRow,
  nowMs: number,
): Promise<boolean> {
  const isOld = sql<boolean>`wrong_passwords_since <= ${nowMs - day}`;
  const count = sql<number>`case when ${isOld} then 1 else wrong_passwords + 1 end`;
  const counted = await queries
    .updateTable('shares')
    .set({
      wrong_passwords: count,
      wrong_passwords_since: sql<number>`case when ${isOld} then ${nowMs} else wrong_passwords_since end`,
      password_locked_at: sql<
        number | null
      >`case when (${count}) >= ${maxWrongPerDay} then ${nowMs} else password_locked_at end`,
    })
    .where('id', '=', id)
    .where('password_version', '=', version)
    .returning(['wrong_passwords', 'password_locked_at'])
    .executeTakeFirst();
  return counted?.wrong_passwords === maxWrongPerDay && counted.password_locked_at !== null;
}

function rejectLocked(share: Pick<ShareRow, 'password_locked_at'> | undefined): void {
  if (share !== undefined && share.password_locked_at !== null)
    throw new ProblemError('rate-limited', { retryAfterSeconds: day / second, reason: 'locked' });
}

/**
 * Checks the password of a link and starts a visit. Other visits continue, also where the password is locked, which
 * the owner's pages learn.
 * @throws share-password-wrong (401); rate-limited (429), with the reason `locked` after too many wrong passwords
 */
export async function unlockShare(
  { database, clock, passwords, throttle, visits, announce }: UnlockDeps,
  share: ShareRow,
  { password, ip, reply }: { password: string; ip: string; reply: FastifyReply },
): Promise<void> {
  if (share.password_hash === null) return;
  throttle.consumeUnlock(share.id, ip);
  const { queries } = database;
  rejectLocked(share);
  const by = {
    purpose: 'link' as const,
    client: ip,
    // Others may have locked the password while this one waited.
    beforeHashing: async () =>
      rejectLocked(
        await queries
          .selectFrom('shares')
          .select('password_locked_at')
          .where('id', '=', share.id)
          .executeTakeFirst(),
      ),
  };
  if (!(await passwords.verify(share.password_hash, password, by))) {
    const isLocked = await countWrong(queries, share, clock.nowMs());
    if (isLocked) announce.sharesChanged(share.owner_id, share.recording_id);
    throw new ProblemError('share-password-wrong', { headers: challenge });
  }
  throttle.unlocked(share.id, ip);
  await visits.start(queries, reply, { share, listenedAtMs: null, nowMs: clock.nowMs() });
}
