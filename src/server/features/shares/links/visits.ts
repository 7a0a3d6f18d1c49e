import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply } from 'fastify';
import { second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { shareCookieName } from '#server/http/session-cookie.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { ShareRow, ShareVisitRow } from '#server/storage/database/share-tables.ts';
import { hashOf } from '#server/storage/hash-of.ts';

/** A value that no cookie has, so that a request without one reads the same row. */
const noVisit = hashOf('');

/**
 * The cookies of visits: one for each link, so that two links that are open at once do not end each other. `Lax`,
 * because a listener comes from a mail or a messenger.
 */
export class VisitCookies {
  readonly #publicUrl: string;
  readonly #attributes: { path: '/'; httpOnly: true; sameSite: 'lax'; secure: boolean };

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#attributes = {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: publicUrl.startsWith('https:'),
    };
  }

  /** The stored form of the visit that a request presents. */
  visitHash(cookie: (name: string) => string | undefined, tokenHash: string): string {
    const value = cookie(shareCookieName(tokenHash, this.#publicUrl));
    return value === undefined ? noVisit : hashOf(value);
  }

  /** Stores a new visit and sets its cookie. */
  async start(
    queries: Queries,
    reply: FastifyReply,
    { share, listenedAtMs, nowMs }: { share: ShareRow; listenedAtMs: number | null; nowMs: number },
  ): Promise<void> {
    const value = randomBytes(32).toString('base64url');
    await queries
      .insertInto('share_visits')
      .values({
        visit_hash: hashOf(value),
        share_id: share.id,
        password_version: share.password_version,
        listened_at: listenedAtMs,
        expires_at: nowMs + limits.share.visitMs,
      })
      .execute();
    reply.setCookie(shareCookieName(share.token_hash, this.#publicUrl), value, {
      ...this.#attributes,
      maxAge: limits.share.visitMs / second,
    });
  }
}

/** Finds a visit by the hash of its cookie. */
export const findVisit = (queries: Queries, visitHash: string): Promise<ShareVisitRow | undefined> =>
  queries.selectFrom('share_visits').selectAll().where('visit_hash', '=', visitHash).executeTakeFirst();

/** Whether a visit belongs to this link as it is now: another link, or another password, has other visits. */
export const isVisitOf = (
  visit: ShareVisitRow | undefined,
  share: Pick<ShareRow, 'id' | 'password_version'>,
  nowMs: number,
): visit is ShareVisitRow =>
  visit !== undefined &&
  visit.share_id === share.id &&
  visit.password_version === share.password_version &&
  visit.expires_at > nowMs;
