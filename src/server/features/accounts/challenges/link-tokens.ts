import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { day, minute } from '#base/duration.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import type { SecretBox } from './secret-box.ts';

type LinkKind = 'password-reset' | 'email-undo';

const lifeMs: Record<LinkKind, number> = { 'password-reset': 30 * minute, 'email-undo': 7 * day };

export interface TokenLink<Data> {
  userId: string;
  data: Data;
  createdAtMs: number;
}

/**
 * Secrets of links that are emailed or handed over. A secret has 256 random bits, is stored as a hash, and is
 * consumed by deleting its row.
 */
export class LinkTokens {
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(deps: { clock: Clock; secrets: SecretBox }) {
    this.#clock = deps.clock;
    this.#secrets = deps.secrets;
  }

  /** Issues a link token. A new reset link revokes the older ones. */
  async issue(
    queries: Queries,
    link: { kind: LinkKind; userId: string; data?: unknown },
  ): Promise<{ token: string; expiresAtMs: number }> {
    const { kind, userId, data = null } = link;
    const nowMs = this.#clock.nowMs();
    if (kind === 'password-reset') await this.dropResets(queries, userId);
    const token = randomBytes(32).toString('base64url');
    const expiresAtMs = nowMs + lifeMs[kind];
    await queries
      .insertInto('link_tokens')
      .values({
        token_hash: hashOf(token),
        kind,
        user_id: userId,
        sealed_data: this.#secrets.seal(JSON.stringify(data), `link ${kind}`),
        created_at: nowMs,
        expires_at: expiresAtMs,
      })
      .execute();
    return { token, expiresAtMs };
  }

  /** Returns the user id of a link without consuming it, or null if the link is invalid or expired. */
  async findOwner(queries: Queries, kind: LinkKind, token: string): Promise<string | null> {
    const row = await queries
      .selectFrom('link_tokens')
      .select('user_id')
      .where('token_hash', '=', hashOf(token))
      .where('kind', '=', kind)
      .where('expires_at', '>', this.#clock.nowMs())
      .executeTakeFirst();
    return row?.user_id ?? null;
  }

  /** Consumes a link. Returns null if it is invalid or expired. */
  async consume<Schema extends z.ZodType>(
    queries: Queries,
    link: { kind: LinkKind; token: string },
    schema: Schema,
  ): Promise<TokenLink<z.output<Schema>> | null> {
    const row = await queries
      .deleteFrom('link_tokens')
      .where('token_hash', '=', hashOf(link.token))
      .where('kind', '=', link.kind)
      .where('expires_at', '>', this.#clock.nowMs())
      .returningAll()
      .executeTakeFirst();
    const data = row && this.#secrets.open(row.sealed_data, `link ${link.kind}`);
    return row && data !== null && data !== undefined
      ? { userId: row.user_id, data: schema.parse(JSON.parse(data)), createdAtMs: row.created_at }
      : null;
  }

  /**
   * Revokes the reset links of a user. Links that undo an email change stay valid, because they may help the
   * owner.
   */
  async dropResets(queries: Queries, userId: string): Promise<void> {
    await queries
      .deleteFrom('link_tokens')
      .where('user_id', '=', userId)
      .where('kind', '=', 'password-reset')
      .execute();
  }

  /**
   * Revokes the email-undo links issued at or after `sinceMs`: they would restore addresses that were set after
   * the one now restored.
   */
  async dropUndosSince(queries: Queries, userId: string, sinceMs: number): Promise<void> {
    await queries
      .deleteFrom('link_tokens')
      .where('user_id', '=', userId)
      .where('kind', '=', 'email-undo')
      .where('created_at', '>=', sinceMs)
      .execute();
  }
}
