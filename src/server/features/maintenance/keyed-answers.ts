import { sql } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { day, minute } from '#base/duration.ts';
import type { KeyedAnswers, KeyedRequest } from '#server/http/pipeline/keyed-requests.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';

const retentionMs = day;
/** Limits how long a key stays claimed if the server dies while handling its request. */
const claimMs = minute;

/** Stores replies in the database, so that a retry is recognised on every server. */
export function createKeyedAnswers({ database, clock }: { database: Database; clock: Clock }): KeyedAnswers {
  const { queries } = database;
  const time = databaseTime(database, clock);
  const after = (delayMs: number) => sql<number>`${time()} + ${sql.lit(delayMs)}`;
  const rowOf = (request: KeyedRequest) =>
    queries
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('principal', '=', request.principal)
      .where('key_hash', '=', request.keyHash);

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
          expires_at: after(claimMs),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('expires_at')
        .executeTakeFirst();
      if (claimed !== undefined) return { untilMs: claimed.expires_at };
      const row = await rowOf(request).executeTakeFirst();
      if (!row) return 'running';
      if (row.request_hash !== request.requestHash) return 'other';
      return row.status === null
        ? 'running'
        : { status: row.status, body: row.reply === null ? undefined : JSON.parse(row.reply) };
    },
    async keep(request, { untilMs }, { status, body }) {
      await queries
        .updateTable('idempotency_keys')
        .set({
          status,
          reply: body === undefined ? null : JSON.stringify(body),
          expires_at: after(retentionMs),
        })
        .where('principal', '=', request.principal)
        .where('key_hash', '=', request.keyHash)
        .where('status', 'is', null)
        .where('expires_at', '=', untilMs)
        .execute();
    },
    async release(request, { untilMs }) {
      await queries
        .deleteFrom('idempotency_keys')
        .where('principal', '=', request.principal)
        .where('key_hash', '=', request.keyHash)
        .where('status', 'is', null)
        .where('expires_at', '=', untilMs)
        .execute();
    },
  };
}
