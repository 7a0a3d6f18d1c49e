import { sql, type RawBuilder } from 'kysely';
import { unknownOrderMs } from '#base/recorded-time/order.ts';
import type { DayBounds } from './day-bounds.ts';

const startedAt = sql.ref('recordings.started_at');

const within = ({ fromMs, beforeMs }: DayBounds): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join([sql`${startedAt} > ${sql.lit(unknownOrderMs)}`, ...(fromMs === null ? [] : [sql`${startedAt} >= ${fromMs}`]), ...(beforeMs === null ? [] : [sql`${startedAt} < ${beforeMs}`])], sql` and `)})`;

/** The parts of a range's ends in which moments and times without a zone differ; at most a day each. */
function disputed(one: number | null, other: number | null): RawBuilder<boolean>[] {
  return one === null || other === null || one === other
    ? []
    : [sql<boolean>`(started_at >= ${Math.min(one, other)} and started_at < ${Math.max(one, other)})`];
}

const min = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.min(one, other);
const max = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);

/**
 * Whether a recording was made in a range of days. Only the few recordings without a zone and with a time near an
 * end of the range are compared with the zoneless bounds. All others are compared with the bounds for moments, so
 * that the database can still use the list's indexes.
 */
export function inDays(
  ownerId: string,
  { moments, zoneless }: { moments: DayBounds; zoneless: DayBounds },
): RawBuilder<boolean> {
  const ends = [
    ...disputed(moments.fromMs, zoneless.fromMs),
    ...disputed(moments.beforeMs, zoneless.beforeMs),
  ];
  if (ends.length === 0) return within(moments);
  const wide = within({
    fromMs: min(moments.fromMs, zoneless.fromMs),
    beforeMs: max(moments.beforeMs, zoneless.beforeMs),
  });
  const near = sql`select id from recordings where owner_id = ${ownerId} and recorded_kind <> 'moment' and (${sql.join(ends, sql` or `)})`;
  return sql<boolean>`(${wide} and case when recordings.id in (${near}) then ${within(zoneless)} else ${within(moments)} end)`;
}
