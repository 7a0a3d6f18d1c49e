import { sql, type Expression, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely';
import type { RecordingFilter } from '#contract/recording-filter.ts';
import type { Schema } from '../../storage/database/schema.ts';
import { boundsOf } from './day-bounds.ts';

type Where = ExpressionBuilder<Schema, 'recordings'>;
type Condition = ExpressionWrapper<Schema, 'recordings', SqlBool>;

/** Whether a filter leaves anything out, the search and the trash apart. */
export const isNarrow = ({ search: _search, trashed: _trashed, timeZone: _timeZone, ...rest }: RecordingFilter): boolean => Object.values(rest).some((value) => value !== undefined);

function byTime(where: Where, filter: RecordingFilter): Condition[] {
  const { fromMs, beforeMs } = boundsOf(filter);
  return [
    ...(fromMs === null ? [] : [where('recordings.started_at', '>=', fromMs)]),
    ...(beforeMs === null ? [] : [where('recordings.started_at', '<', beforeMs)]),
    ...(filter.minMs === undefined ? [] : [where('recordings.duration_ms', '>=', filter.minMs)]),
    ...(filter.maxMs === undefined ? [] : [where('recordings.duration_ms', '<=', filter.maxMs)]),
  ];
}

/** `de` is found as `de`, `de-AT` and `DE`; a hyphen is followed by a dot in ASCII. */
function byLanguage(where: Where, language: string): Condition {
  if (language === 'und') return where('recordings.language', 'is', null);
  const folded = language.toLowerCase();
  const own = sql<string>`lower(recordings.language)`;
  return where.or([where(own, '=', folded), where.and([where(own, '>=', `${folded}-`), where(own, '<', `${folded}.`)])]);
}

/** Whose recordings. SQLite knows nothing of how many rows a subquery gives; the sign keeps it from walking all of the owner's where a few are named by their ids. */
export const ownedBy = (ownerId: string, options: { areNamed: boolean }): Expression<SqlBool> =>
  (options.areNamed ? sql<boolean>`+recordings.owner_id = ${ownerId}` : sql<boolean>`recordings.owner_id = ${ownerId}`);

/** The conditions of a filter, the owner and the search apart. Validation (422) for a zone that nobody knows. */
export function conditionsOf(where: Where, filter: RecordingFilter): Condition {
  const { state, source, language, tag } = filter;
  return where.and([
    where('recordings.deleted_at', filter.trashed === 'true' ? 'is not' : 'is', null),
    ...byTime(where, filter),
    ...(state === undefined || state.length === 0 ? [] : [where('recordings.state', 'in', state)]),
    ...(source === undefined ? [] : [where('recordings.source', '=', source)]),
    ...(language === undefined ? [] : [byLanguage(where, language)]),
    ...(tag ?? []).map((id) => where('recordings.id', 'in', where.selectFrom('recording_tags').where('tag_id', '=', id).select('recording_id'))),
  ]);
}
