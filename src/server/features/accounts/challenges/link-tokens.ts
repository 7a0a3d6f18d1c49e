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
 * The secrets of links that are sent or handed over: 256 random bits, kept as a hash, used up by deleting.
 */
export class LinkTokens {
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(deps: { clock: Clock; secrets: SecretBox }) {
    this.#clock = deps.clock;
    this.#secrets = deps.secrets;
  }

  /** Makes a link's secret. A newer reset link ends the older ones. */
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

  /** Whose link it is, without using it up; null when it counts no longer. */
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

  /** Uses a link up; null when it counts no longer. */
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
   * Ends the reset links of a user. Links that undo a change of address stay valid, because they may help
   * the owner.
   */
  async dropResets(queries: Queries, userId: string): Promise<void> {
    await queries
      .deleteFrom('link_tokens')
      .where('user_id', '=', userId)
      .where('kind', '=', 'password-reset')
      .execute();
  }

  /**
   * Ends the links that undo a change of address made no earlier than this: they lead to addresses that came
   * after the one put back.
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
