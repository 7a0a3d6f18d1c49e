import { sql } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { day, minute } from '#base/duration.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { KeyedAnswers, KeyedRequest } from '#server/http/pipeline/keyed-requests.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';

const retentionMs = day;
/** Limits how long a key stays claimed if the server dies while handling its request. */
const claimMs = minute;

const sealedFor = 'keyed answer';

/**
 * Stores replies in the database, so that a retry is recognised on every server. They are sealed, because a reply can
 * hold a secret, such as the address of a link.
 */
export function createKeyedAnswers({
  database,
  clock,
  secrets,
}: {
  database: Database;
  clock: Clock;
  secrets: SecretBox;
}): KeyedAnswers {
  const { queries } = database;
  const time = databaseTime(database, clock);
  const after = (delayMs: number) => sql<number>`${time()} + ${sql.lit(delayMs)}`;
  const rowOf = (request: KeyedRequest) =>
    queries
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('principal', '=', request.principal)
      .where('key_hash', '=', request.keyHash);

  const forget = (request: KeyedRequest) =>
    queries
      .deleteFrom('idempotency_keys')
      .where('principal', '=', request.principal)
      .where('key_hash', '=', request.keyHash)
      .execute();

  const release: KeyedAnswers['release'] = async (request, { untilMs }) => {
    await queries
      .deleteFrom('idempotency_keys')
      .where('principal', '=', request.principal)
      .where('key_hash', '=', request.keyHash)
      .where('status', 'is', null)
      .where('expires_at', '=', untilMs)
      .execute();
  };

  return {
    async claim(request) {
      await queries
        .deleteFrom('idempotency_keys')
        .where('principal', '=', request.principal)
        .where('expires_at', '<=', time())
        .execute();
      const claimed = await queries
        .insertInto('idempotency_keys')
        .values({
          principal: request.principal,
          key_hash: request.keyHash,
          request_hash: request.requestHash,
          status: null,
          reply: null,
          recording_id: null,
          expires_at: after(claimMs),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('expires_at')
        .executeTakeFirst();
      if (claimed !== undefined) return { untilMs: claimed.expires_at };
      const row = await rowOf(request).executeTakeFirst();
      if (!row) return 'running';
      if (row.request_hash !== request.requestHash) return 'other';
      if (row.status === null) return 'running';
      if (row.reply === null) return { status: row.status, body: undefined };
      // The previous version stored JSON, for a day at most. Sealed text never begins with a bracket.
      const reply = /^[[{"]/.test(row.reply) ? row.reply : secrets.open(row.reply, sealedFor);
      // Sealed with a secret that was lost. The client tries again, and the request is executed.
      if (reply === null) await forget(request);
      return reply === null ? 'running' : { status: row.status, body: JSON.parse(reply) };
    },
    async keep(request, claim, { status, body, recordingId }) {
      try {
        await queries
          .updateTable('idempotency_keys')
          .set({
            status,
            reply: body === undefined ? null : secrets.seal(JSON.stringify(body), sealedFor),
            recording_id: recordingId,
            expires_at: after(retentionMs),
          })
          .where('principal', '=', request.principal)
          .where('key_hash', '=', request.keyHash)
          .where('status', 'is', null)
          .where('expires_at', '=', claim.untilMs)
          .execute();
      } catch (error) {
        // The recording was purged meanwhile.
        if (database.constraintOf(error) !== 'foreign-key') throw error;
        await release(request, claim);
      }
    },
    release,
  };
}
