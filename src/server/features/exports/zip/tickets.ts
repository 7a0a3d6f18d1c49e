import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import type { Database } from '#server/storage/database/database.ts';
import { hashOf } from '#server/storage/hash-of.ts';

const goodForMs = 5 * minute;
const idsSchema = z.array(z.string());

/**
 * Single-use tickets for downloading a ZIP file by a link that the browser can follow. Only the user it was issued
 * to can use it.
 */
export interface Tickets {
  issue(ownerId: string, ids: readonly string[]): Promise<{ ticket: string; expiresAtMs: number }>;
  /** Consumes a ticket. Returns null if it is unknown, used, expired or another user's. */
  redeem(ownerId: string, ticket: string): Promise<readonly string[] | null>;
  /** Whether a ticket is valid, without consuming it. */
  isGood(ownerId: string, ticket: string): Promise<boolean>;
  removeExpired(): Promise<void>;
}

/** Stores tickets in the database by their hash. */
export function createTickets({
  database: { queries },
  clock,
}: {
  database: Database;
  clock: Clock;
}): Tickets {
  return {
    async issue(ownerId, ids) {
      const ticket = randomBytes(32).toString('base64url');
      const expiresAtMs = clock.nowMs() + goodForMs;
      await queries
        .insertInto('export_tickets')
        .values({
          ticket_hash: hashOf(ticket),
          owner_id: ownerId,
          recording_ids: JSON.stringify(ids),
          expires_at: expiresAtMs,
        })
        .execute();
      return { ticket, expiresAtMs };
    },
    async redeem(ownerId, ticket) {
      // Deleting the row consumes the ticket, so only one of two concurrent requests gets it.
      const row = await queries
        .deleteFrom('export_tickets')
        .where('ticket_hash', '=', hashOf(ticket))
        .where('owner_id', '=', ownerId)
        .returning(['recording_ids', 'expires_at'])
        .executeTakeFirst();
      return row && row.expires_at > clock.nowMs() ? idsSchema.parse(JSON.parse(row.recording_ids)) : null;
    },
    async isGood(ownerId, ticket) {
      const row = await queries
        .selectFrom('export_tickets')
        .select('ticket_hash')
        .where('ticket_hash', '=', hashOf(ticket))
        .where('owner_id', '=', ownerId)
        .where('expires_at', '>', clock.nowMs())
        .executeTakeFirst();
      return row !== undefined;
    },
    async removeExpired() {
      await queries.deleteFrom('export_tickets').where('expires_at', '<=', clock.nowMs()).execute();
    },
  };
}
