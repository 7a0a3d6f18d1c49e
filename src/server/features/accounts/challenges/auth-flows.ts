import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { AuthFlowRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import type { SecretBox } from './secret-box.ts';

export type FlowKind = AuthFlowRow['kind'];

/** A flow to start. `browser` is the value of the flow cookie; the token alone can't continue the flow. */
export interface NewFlow {
  kind: FlowKind;
  browser: string;
  lifeMs: number;
  data: unknown;
  userId?: string | null;
  emailKey?: string;
  /** The code that was sent. `null` makes a flow that looks as if it had a code, but that no code can pass. */
  code?: string | null;
  tries?: number;
}

/** Identifies the flow that a request continues. */
export interface FlowRef {
  kind: FlowKind;
  token: string;
  browser: string | null;
}

export interface FlowState<Data> {
  data: Data;
  userId: string | null;
  isCodeRight: (code: string) => boolean;
}

const purposeOf = (kind: FlowKind): string => `flow ${kind}`;

/** Eight digits (27 bits). The low entropy is acceptable because a flow allows few tries and expires soon. */
export const newCode = (): string => String(randomInt(100_000_000)).padStart(8, '0');

/** Strips the spaces and hyphens that users type between digits. */
export const typedDigits = (code: string): string => code.normalize('NFKC').replaceAll(/[\s-]/gu, '');

/**
 * Stores flows, the multi-step operations of signing in and changing credentials. Each single-use value is
 * consumed in one statement, so only one of two concurrent requests succeeds.
 */
export class AuthFlows {
  readonly #clock: Clock;
  readonly #secrets: SecretBox;

  constructor(deps: { clock: Clock; secrets: SecretBox }) {
    this.#clock = deps.clock;
    this.#secrets = deps.secrets;
  }

  /** Stores a flow and returns the token that continues it. */
  async start(queries: Queries, flow: NewFlow): Promise<{ token: string; expiresAtMs: number }> {
    const nowMs = this.#clock.nowMs();
    const token = randomBytes(32).toString('base64url');
    const expiresAtMs = nowMs + flow.lifeMs;
    const code = flow.code === null ? randomBytes(32).toString('hex') : flow.code;
    await queries
      .insertInto('auth_flows')
      .values({
        token_hash: hashOf(token),
        kind: flow.kind,
        user_id: flow.userId ?? null,
        browser_hash: hashOf(flow.browser),
        email_key_hash: flow.emailKey === undefined ? null : this.emailHash(flow.emailKey),
        code_hash: code === undefined ? null : this.#codeHash(token, code),
        tries_left: flow.tries ?? 1,
        sealed_data: this.#secrets.seal(JSON.stringify(flow.data), purposeOf(flow.kind)),
        created_at: nowMs,
        expires_at: expiresAtMs,
      })
      .execute();
    return { token, expiresAtMs };
  }

  /**
   * Uses up one try of a flow without consuming the flow. Returns null if the flow is unknown, expired, out of
   * tries, or was started by another browser.
   */
  async attempt<Schema extends z.ZodType>(
    queries: Queries,
    ref: FlowRef,
    schema: Schema,
  ): Promise<FlowState<z.output<Schema>> | null> {
    if (ref.browser === null) return null;
    const row = await queries
      .updateTable('auth_flows')
      .set(({ eb }) => ({ tries_left: eb('tries_left', '-', 1) }))
      .where('token_hash', '=', hashOf(ref.token))
      .where('kind', '=', ref.kind)
      .where('browser_hash', '=', hashOf(ref.browser))
      .where('tries_left', '>', 0)
      .where('expires_at', '>', this.#clock.nowMs())
      .returningAll()
      .executeTakeFirst();
    return row ? this.#stateOf(row, ref.token, schema) : null;
  }

  /** Consumes a flow. Returns null if it is unknown, expired, already consumed, or was started by another browser. */
  async consume<Schema extends z.ZodType>(
    queries: Queries,
    ref: FlowRef,
    schema: Schema,
  ): Promise<FlowState<z.output<Schema>> | null> {
    if (ref.browser === null) return null;
    const row = await queries
      .deleteFrom('auth_flows')
      .where('token_hash', '=', hashOf(ref.token))
      .where('kind', '=', ref.kind)
      .where('browser_hash', '=', hashOf(ref.browser))
      .where('expires_at', '>', this.#clock.nowMs())
      .returningAll()
      .executeTakeFirst();
    return row ? this.#stateOf(row, ref.token, schema) : null;
  }

  /** Deletes the flows of a user: all of them, or those of one kind. */
  async dropOf(queries: Queries, userId: string, kind?: FlowKind): Promise<void> {
    const query = queries.deleteFrom('auth_flows').where('user_id', '=', userId);
    await (kind === undefined ? query : query.where('kind', '=', kind)).execute();
  }

  /**
   * Consumes a sign-up flow and deletes all other sign-up flows for the same address: the first user to prove the
   * address gets it. Returns false if the flow was already consumed. A single statement deletes all of them, so
   * that concurrent requests for one address don't deadlock.
   */
  async consumeSignUp(queries: Queries, ref: FlowRef, emailKey: string): Promise<boolean> {
    const rows = await queries
      .deleteFrom('auth_flows')
      .where('kind', '=', 'sign-up')
      .where('email_key_hash', '=', this.emailHash(emailKey))
      .returning('token_hash')
      .execute();
    return rows.some((row) => row.token_hash === hashOf(ref.token));
  }

  /** The keyed hash under which flows store an email address. */
  emailHash(emailKey: string): string {
    return this.#secrets.hash(emailKey, 'flow address');
  }

  /** Returns the data of the user's newest unexpired flow of a kind, or null. */
  async newestOf<Schema extends z.ZodType>(
    queries: Queries,
    of: { userId: string; kind: FlowKind },
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    const row = await queries
      .selectFrom('auth_flows')
      .selectAll()
      .where('user_id', '=', of.userId)
      .where('kind', '=', of.kind)
      .where('expires_at', '>', this.#clock.nowMs())
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? (this.#stateOf(row, '', schema)?.data ?? null) : null;
  }

  #stateOf<Schema extends z.ZodType>(
    row: AuthFlowRow,
    token: string,
    schema: Schema,
  ): FlowState<z.output<Schema>> | null {
    const data = this.#secrets.open(row.sealed_data, purposeOf(row.kind));
    if (data === null) return null;
    const expected = Buffer.from(row.code_hash ?? '');
    return {
      data: schema.parse(JSON.parse(data)),
      userId: row.user_id,
      isCodeRight: (code) => {
        const given = Buffer.from(this.#codeHash(token, typedDigits(code)));
        return given.length === expected.length && timingSafeEqual(given, expected);
      },
    };
  }

  #codeHash(token: string, code: string): string {
    return this.#secrets.hash(`${token} ${code}`, 'flow code');
  }
}
