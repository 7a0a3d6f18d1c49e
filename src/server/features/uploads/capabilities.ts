import { randomBytes } from 'node:crypto';
import { BoundedMap } from '#base/bounded-map.ts';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import { limits } from '#contract/limits.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { UploadPrincipal } from '../../http/principal.ts';
import type { Database, Queries } from '../../storage/database/database.ts';
import { hashOf } from '../../storage/hash-of.ts';

export interface Capabilities {
  /** Makes a fresh right to append to one recording; only the token's SHA-256 is kept. */
  issue(queries: Queries, recordingId: string): Promise<UploadCapability>;
  /** Whose token this is, or null when it is unknown, has run out, or its owner's account is disabled. Remembered for half a second, so that an append rarely asks the database. */
  identify(token: string): Promise<UploadPrincipal | null>;
  /** Drops what is remembered of one recording's tokens. */
  forget(recordingId: string): void;
  /** Deletes the rows of tokens that have run out. */
  removeExpired(): Promise<void>;
}

/** A disabled account's uploads end within a second, on every server of one database. */
const rememberedMs = 500;

interface Remembered { recordingId: string; expiresAtMs: number; readAtMs: number }

/** Upload capabilities (capture decision 8): they outlive the session and can do nothing but append. */
export function createCapabilities({ database, clock }: { database: Database; clock: Clock }): Capabilities {
  const known = new BoundedMap<string, Remembered>(4096);

  async function find(tokenHash: string): Promise<Remembered | undefined> {
    const nowMs = clock.nowMs();
    const remembered = known.get(tokenHash);
    if (remembered && Math.abs(nowMs - remembered.readAtMs) < rememberedMs) return remembered;
    const row = await database.queries.selectFrom('upload_capabilities')
      .innerJoin('recordings', 'recordings.id', 'upload_capabilities.recording_id').innerJoin('users', 'users.id', 'recordings.owner_id')
      .select(['upload_capabilities.recording_id', 'upload_capabilities.expires_at'])
      .where('upload_capabilities.token_hash', '=', tokenHash).where('users.disabled_at', 'is', null).executeTakeFirst();
    if (!row) return undefined;
    const found = { recordingId: row.recording_id, expiresAtMs: row.expires_at, readAtMs: nowMs };
    known.set(tokenHash, found);
    return found;
  }

  return {
    async issue(queries, recordingId) {
      const token = randomBytes(32).toString('base64url');
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + limits.uploadCapabilityMs;
      await queries.insertInto('upload_capabilities').values({ token_hash: hashOf(token), recording_id: recordingId, expires_at: expiresAtMs, created_at: nowMs }).execute();
      return { token, expiresAt: instantOf(expiresAtMs), appendIntervalMs: limits.appendIntervalMs };
    },
    async identify(token) {
      const found = await find(hashOf(token));
      return found && found.expiresAtMs > clock.nowMs() ? { kind: 'upload-capability', recordingId: found.recordingId } : null;
    },
    forget(recordingId) {
      known.deleteWhere((capability) => capability.recordingId === recordingId);
    },
    async removeExpired() {
      await database.queries.deleteFrom('upload_capabilities').where('expires_at', '<=', clock.nowMs()).execute();
    },
  };
}
