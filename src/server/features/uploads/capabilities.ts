import { randomBytes } from 'node:crypto';
import { BatchedReads } from '#base/batched-reads.ts';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import { RecentReads } from '#base/recent-reads.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { SessionPrincipal, UploadPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { isOneOf, prepared } from '#server/storage/database/prepared.ts';
import { hashOf } from '#server/storage/hash-of.ts';

/** The take that a capability is for, and the session that requested it, with the token that it presented. */
export type CapabilityOf = Pick<SessionPrincipal, 'sessionId' | 'tokenHash'> & { recordingId: string };

export interface Capabilities {
  /**
   * Issues a capability to append to one unfinished recording, in the caller's transaction. Only the token's
   * SHA-256 is stored.
   * @throws session-expired (401) if the session has ended or rotated its token in the meantime, because a
   * capability issued during the revocation of its token would outlive it
   */
  issue(queries: Queries, of: CapabilityOf): Promise<UploadCapability>;
  /** Revokes all capabilities of a recording. */
  revoke(queries: Queries, recordingId: string): Promise<void>;
  /**
   * Returns the principal of a token, or null if it is unknown, revoked or expired, or its owner's account is
   * disabled. Results are cached for less than a second, so that an append is one query less.
   */
  identify(token: string): Promise<UploadPrincipal | null>;
  /** Drops the cached tokens of a recording. */
  forget(recordingId: string): void;
  /** Drops all cached tokens, after some of them were revoked. */
  forgetAll(): void;
  /** Deletes expired tokens. */
  removeExpired(): Promise<void>;
}

/**
 * How long tokens are cached. A revocation, or disabling the owner's account, takes effect within a second on
 * every server of the same database.
 */
const rememberedMs = 900;
/** A page uses one capability at a time, and requests another if it lost that one. */
const maxPerSession = 4;

type UploadPrincipalUntil = UploadPrincipal & { expiresAtMs: number };

interface StoredToken {
  recording_id: string;
  device_label: string;
  expires_at: number;
}

/** Reads tokens by their hashes, without those of disabled accounts. */
async function readTokens(
  queries: Queries,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, StoredToken>> {
  const rows = await queries
    .selectFrom('upload_capabilities')
    .innerJoin('recordings', 'recordings.id', 'upload_capabilities.recording_id')
    .innerJoin('users', 'users.id', 'recordings.owner_id')
    .select([
      'upload_capabilities.token_hash',
      'upload_capabilities.recording_id',
      'upload_capabilities.device_label',
      'upload_capabilities.expires_at',
    ])
    .where((eb) => isOneOf(queries, eb.ref('upload_capabilities.token_hash'), hashes))
    .where('users.disabled_at', 'is', null)
    .modifyEnd(prepared)
    .execute();
  return new Map(rows.map((row) => [row.token_hash, row]));
}

/** Caches tokens so that appends rarely query the database. */
class KnownTokens {
  readonly #known: RecentReads<string, UploadPrincipalUntil | undefined>;
  readonly #stored: BatchedReads<StoredToken>;

  constructor({ queries, clock }: { queries: Queries; clock: Clock }) {
    this.#stored = new BatchedReads((hashes) => readTokens(queries, hashes));
    this.#known = new RecentReads({ idleMs: rememberedMs, nowMs: () => clock.nowMs() });
  }

  find(tokenHash: string): Promise<UploadPrincipalUntil | undefined> {
    return this.#known.getTogether(tokenHash, {
      trustedMs: rememberedMs,
      read: (hash) => this.#read(hash),
    });
  }

  /** A row that is being read was perhaps read before a revocation, and is not cached after it. */
  forget(matches: (capability: UploadPrincipal) => boolean): void {
    this.#known.forgetWhere((capability) => capability !== undefined && matches(capability));
  }

  async #read(tokenHash: string): Promise<UploadPrincipalUntil | undefined> {
    const row = await this.#stored.read(tokenHash);
    return (
      row && {
        kind: 'upload-capability',
        recordingId: row.recording_id,
        deviceLabel: row.device_label,
        expiresAtMs: row.expires_at,
      }
    );
  }
}

/** Limits the number of tokens per session and recording. */
async function removeSurplus(queries: Queries, { recordingId, sessionId }: CapabilityOf): Promise<void> {
  const own = queries
    .selectFrom('upload_capabilities')
    .where('recording_id', '=', recordingId)
    .where('session_id', '=', sessionId);
  const surplus = await own
    .select('token_hash')
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .offset(maxPerSession - 1)
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
 * Upload capabilities. Each belongs to an unfinished take and to the session that requested it, outlives that
 * session unless it is revoked, and only permits appending.
 */
export function createCapabilities({ database, clock }: { database: Database; clock: Clock }): Capabilities {
  const known = new KnownTokens({ queries: database.queries, clock });

  function lockSession(
    queries: Queries,
    { sessionId, tokenHash }: CapabilityOf,
  ): Promise<{ label: string } | undefined> {
    const session = queries
      .selectFrom('sessions')
      .select('label')
      .where('token_hash', '=', tokenHash)
      .where('id', '=', sessionId);
    return (database.dialect === 'postgres' ? session.forShare() : session).executeTakeFirst();
  }

  return {
    async issue(queries, of) {
      const token = randomBytes(32).toString('base64url');
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + serverLimits.uploadCapabilityMs;
      const session = await lockSession(queries, of);
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
      const { appendIntervalMs, peaksIntervalMs } = serverLimits;
      return { token, expiresAt: instantOf(expiresAtMs), appendIntervalMs, peaksIntervalMs };
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
