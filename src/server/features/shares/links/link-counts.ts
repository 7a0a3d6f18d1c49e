import type { FastifyRequest } from 'fastify';
import { instantOf } from '#base/instant.ts';
import type { Queries } from '#server/storage/database/database.ts';

/** Programs that fetch links for previews, indexes and checks. They name themselves; those that lie are counted. */
const robots =
  /bot\b|bot\/|crawl|spider|slurp|preview|facebookexternalhit|facebot|whatsapp|telegram|slack|discord|skype|embedly|pinterest|vkshare|curl|wget|python-requests|headless|monitor|scanner/i;

/** Whether a browser sends a request before its user wants the answer (`Sec-Purpose`, W3C Fetch Metadata). */
export function isPrefetch({ headers }: FastifyRequest): boolean {
  const purpose = `${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')}`;
  return /prefetch|prerender|preview/i.test(purpose);
}

/**
 * Whether opening a page counts: not a look at the headers, not a prefetch, and no known robot. Browsers inside of
 * messengers may look like robots, so nothing but this count depends on it.
 */
export function isCounted(request: FastifyRequest): boolean {
  return (
    request.method !== 'HEAD' && !isPrefetch(request) && !robots.test(request.headers['user-agent'] ?? '')
  );
}

const columns = {
  open: 'open_count',
  listen: 'listen_count',
  'whole-listen': 'whole_listen_count',
} as const;
type Counted = keyof typeof columns;

/** Adds to the count of a day, by UTC; one if nothing else is given. */
async function countOnDay(
  queries: Queries,
  shareId: string,
  { counted, nowMs, added = 1 }: { counted: Counted; nowMs: number; added?: number },
): Promise<void> {
  const none = { open_count: 0, listen_count: 0, whole_listen_count: 0 };
  const column = columns[counted];
  await queries
    .insertInto('share_days')
    .values({ share_id: shareId, day: instantOf(nowMs).slice(0, 10), ...none, [column]: added })
    .onConflict((conflict) =>
      conflict
        .columns(['share_id', 'day'])
        .doUpdateSet(({ eb }) => ({ [column]: eb(`share_days.${column}`, '+', added) })),
    )
    .execute();
}

/** Counts that the page of a link was opened, in the caller's transaction. Ignores a link that was deleted. */
export async function countOpens(
  queries: Queries,
  shareId: string,
  { opens, nowMs }: { opens: number; nowMs: number },
): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('shares')
    .set(({ eb }) => ({ open_count: eb('open_count', '+', opens) }))
    .where('id', '=', shareId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await countOnDay(queries, shareId, { counted: 'open', nowMs, added: opens });
}

/** Counts a listen that reached the end. */
export const countWholeListen = (queries: Queries, shareId: string, nowMs: number): Promise<void> =>
  countOnDay(queries, shareId, { counted: 'whole-listen', nowMs });

/** Counts a listen, in the caller's transaction. Returns false if the link has no listen left. */
export async function countListen(queries: Queries, shareId: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('shares')
    .set(({ eb }) => ({ listen_count: eb('listen_count', '+', 1), last_listened_at: nowMs }))
    .where('id', '=', shareId)
    .where((eb) => eb.or([eb('max_listens', 'is', null), eb('listen_count', '<', eb.ref('max_listens'))]))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await countOnDay(queries, shareId, { counted: 'listen', nowMs });
  return true;
}
