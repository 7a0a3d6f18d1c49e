import { randomBytes } from 'node:crypto';
import { BoundedMap } from '#base/bounded-map.ts';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { UploadPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { hashOf } from '#server/storage/hash-of.ts';

/** Which take a capability is for, and which session asked for it. */
export interface CapabilityOf {
  recordingId: string;
  sessionId: string;
}

export interface Capabilities {
  /**
   * Makes a fresh right to append to one unfinished recording, in the caller's transaction; only the token's
   * SHA-256 is stored. Throws session-expired (401) where the session has ended meanwhile: a right that is
   * issued while its session is revoked would outlive the revocation.
   */
  issue(queries: Queries, of: CapabilityOf): Promise<UploadCapability>;
  /** Ends every right to append to one recording. */
  revoke(queries: Queries, recordingId: string): Promise<void>;
  /**
   * Whose token this is, or null when it is unknown, has ended or run out, or its owner's account is
   * disabled. Remembered for half a second, so that an append rarely asks the database.
   */
  identify(token: string): Promise<UploadPrincipal | null>;
  /** Drops what is remembered of one recording's tokens. */
  forget(recordingId: string): void;
  /** Drops what is remembered of all tokens, after some of them were ended. */
  forgetAll(): void;
  /** Deletes the rows of tokens that have run out. */
  removeExpired(): Promise<void>;
}

/**
 * What ends a capability, or disables its owner's account, reaches the appends within a second, on every
 * server of one database.
 */
const rememberedMs = 500;
/** A page holds one capability at a time and fetches another where it lost that one. */
const mostPerSession = 4;

type Remembered = UploadPrincipal & { expiresAtMs: number; readAtMs: number };

/** What is known of tokens, so that an append rarely asks the database. */
class KnownTokens {
  readonly #known = new BoundedMap<string, Remembered>(4096);
  readonly #queries: Queries;
  readonly #clock: Clock;
  #generation = 0;

  constructor({ queries, clock }: { queries: Queries; clock: Clock }) {
    this.#queries = queries;
    this.#clock = clock;
  }

  async find(tokenHash: string): Promise<Remembered | undefined> {
    const remembered = this.#known.get(tokenHash);
    return remembered !== undefined && Math.abs(this.#clock.nowMs() - remembered.readAtMs) < rememberedMs
      ? remembered
      : this.#read(tokenHash);
  }

  forget(matches: (capability: Remembered) => boolean): void {
    this.#generation += 1;
    this.#known.deleteWhere(matches);
  }

  async #read(tokenHash: string): Promise<Remembered | undefined> {
    const startedIn = this.#generation;
    const readAtMs = this.#clock.nowMs();
    const row = await this.#queries
      .selectFrom('upload_capabilities')
      .innerJoin('recordings', 'recordings.id', 'upload_capabilities.recording_id')
      .innerJoin('users', 'users.id', 'recordings.owner_id')
      .select([
        'upload_capabilities.recording_id',
        'upload_capabilities.device_label',
        'upload_capabilities.expires_at',
      ])
      .where('upload_capabilities.token_hash', '=', tokenHash)
      .where('users.disabled_at', 'is', null)
      .executeTakeFirst();
    if (!row) {
      this.#known.delete(tokenHash);
      return undefined;
    }
    const found: Remembered = {
      kind: 'upload-capability',
      recordingId: row.recording_id,
      deviceLabel: row.device_label,
      expiresAtMs: row.expires_at,
      readAtMs,
    };
    // A row that was read before a revocation must not be remembered after it.
    if (startedIn === this.#generation) this.#known.set(tokenHash, found);
    return found;
  }
}

/** A session that asks again and again does not pile up tokens. */
async function removeSurplus(queries: Queries, { recordingId, sessionId }: CapabilityOf): Promise<void> {
  const own = queries
    .selectFrom('upload_capabilities')
    .where('recording_id', '=', recordingId)
    .where('session_id', '=', sessionId);
  const surplus = await own
    .select('token_hash')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .offset(mostPerSession - 1)
    .limit(100)
    .execute();
  if (surplus.length > 0)
    await queries
      .deleteFrom('upload_capabilities')
      .where(
        'token_hash',
        'in',
        surplus.map(({ token_hash: hash }) => hash),
      )
      .execute();
}

/**
 * Upload capabilities: each belongs to a take that is not finished and to the session that asked for it,
 * outlives that session unless it is revoked, and can do nothing but append.
 */
export function createCapabilities({ database, clock }: { database: Database; clock: Clock }): Capabilities {
  const known = new KnownTokens({ queries: database.queries, clock });

  function lockSession(queries: Queries, sessionId: string): Promise<{ label: string } | undefined> {
    const session = queries.selectFrom('sessions').select('label').where('id', '=', sessionId);
    return (database.dialect === 'postgres' ? session.forShare() : session).executeTakeFirst();
  }

  return {
    async issue(queries, of) {
      const token = randomBytes(32).toString('base64url');
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + serverLimits.uploadCapabilityMs;
      // A session that gets a new token is another row for a moment.
      const session =
        (await lockSession(queries, of.sessionId)) ?? (await lockSession(queries, of.sessionId));
      if (!session) throw new ProblemError('session-expired');
      await removeSurplus(queries, of);
      await queries
        .insertInto('upload_capabilities')
        .values({
          token_hash: hashOf(token),
          recording_id: of.recordingId,
          session_id: of.sessionId,
          device_label: session.label,
          expires_at: expiresAtMs,
          created_at: nowMs,
        })
        .execute();
      return { token, expiresAt: instantOf(expiresAtMs), appendIntervalMs: serverLimits.appendIntervalMs };
    },
    async revoke(queries, recordingId) {
      await queries.deleteFrom('upload_capabilities').where('recording_id', '=', recordingId).execute();
    },
    async identify(token) {
      const found = await known.find(hashOf(token));
      return found && found.expiresAtMs > clock.nowMs()
        ? { kind: found.kind, recordingId: found.recordingId, deviceLabel: found.deviceLabel }
        : null;
    },
    forget: (recordingId) => {
      known.forget((capability) => capability.recordingId === recordingId);
    },
    forgetAll: () => {
      known.forget(() => true);
    },
    async removeExpired() {
      await database.queries
        .deleteFrom('upload_capabilities')
        .where('expires_at', '<=', clock.nowMs())
        .execute();
    },
  };
}
