import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import type { RecordingFilter } from '#contract/recording-filter.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { inDays } from './by-days.ts';
import { boundsOf } from './day-bounds.ts';

type Where = ExpressionBuilder<Schema, 'recordings'>;
type Condition = ExpressionWrapper<Schema, 'recordings', SqlBool>;

/** Whether a filter leaves anything out, the search and the trash apart. */
export const isNarrow = ({
  search: _search,
  trashed: _trashed,
  timeZone: _timeZone,
  ...rest
}: RecordingFilter): boolean => Object.values(rest).some((value) => value !== undefined);

function byDays(filter: RecordingFilter, ownerId: string): RawBuilder<boolean>[] {
  const bounds = boundsOf(filter);
  return filter.from === undefined && filter.to === undefined ? [] : [inDays(ownerId, bounds)];
}

function byLength(where: Where, filter: RecordingFilter): Condition[] {
  return [
    ...(filter.minMs === undefined ? [] : [where('recordings.duration_ms', '>=', filter.minMs)]),
    ...(filter.maxMs === undefined ? [] : [where('recordings.duration_ms', '<=', filter.maxMs)]),
  ];
}

/** `de` is found as `de`, `de-AT` and `DE`; a hyphen is followed by a dot in ASCII. */
function byLanguage(where: Where, language: string): Condition {
  if (language === 'und') return where('recordings.language', 'is', null);
  const folded = language.toLowerCase();
  const own = sql<string>`lower(recordings.language)`;
  return where.or([
    where(own, '=', folded),
    where.and([where(own, '>=', `${folded}-`), where(own, '<', `${folded}.`)]),
  ]);
}

/** From so many on an owner's languages are not asked for one by one. */
const mostLanguages = 200;

/** Whether a recording's language is one that a filter means: the same rule as in `byLanguage`. */
function isMeant(stored: string, wanted: string): boolean {
  const [own, folded] = [stored.toLowerCase(), wanted.toLowerCase()];
  return own === folded || own.startsWith(`${folded}-`);
}

/**
 * Those of an owner's languages that a filter means, each of them one step in an index; null where they are
 * not asked for, or too many.
 */
export async function languagesMeant(
  database: Database,
  ownerId: string,
  { language, trashed }: RecordingFilter,
): Promise<string[] | null> {
  if (language === undefined || language === 'und' || trashed === 'true') return null;
  const next = (after: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select min(language) from recordings where owner_id = ${ownerId} and deleted_at is null and ${after}`;
  const { rows } = await sql<{
    language: string;
  }>`with recursive own (language) as (${next(sql`language is not null`)} union all select (${next(sql`language > own.language`)}) from own where own.language is not null)
    select language from own where language is not null limit ${mostLanguages + 1}`.execute(database.queries);
  return rows.length > mostLanguages
    ? null
    : rows.map((row) => row.language).filter((stored) => isMeant(stored, language));
}

/**
 * Whose recordings. SQLite knows nothing of how many rows a subquery gives; the sign keeps it from walking
 * all of the owner's where a few are named by their ids.
 */
export const ownedBy = (ownerId: string, options: { areNamed: boolean }): Expression<SqlBool> =>
  options.areNamed
    ? sql<boolean>`+recordings.owner_id = ${ownerId}`
    : sql<boolean>`recordings.owner_id = ${ownerId}`;

/** What else than the filter itself its conditions rest on. */
export interface Known {
  ownerId: string;
  /** Those of the owner's languages that the filter means; null where they are not known. */
  languages: readonly string[] | null;
  /**
   * SQLite would take up every recording of a language and sort them; the sign keeps it in the order of the
   * list.
   */
  isInOrder: boolean;
}

function byKnownLanguages(languages: readonly string[], { isInOrder }: Known): RawBuilder<boolean> {
  if (languages.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${isInOrder ? sql`+recordings.language` : sql.ref('recordings.language')} in (${sql.join(languages)})`;
}

/**
 * The conditions of a filter, the owner and the search apart. Validation (422) for a zone that nobody knows.
 */
export function conditionsOf(where: Where, filter: RecordingFilter, known: Known): Condition {
  const { state, source, language, tag, favourite } = filter;
  return where.and([
    where('recordings.deleted_at', filter.trashed === 'true' ? 'is not' : 'is', null),
    ...byDays(filter, known.ownerId),
    ...byLength(where, filter),
    ...(state === undefined || state.length === 0 ? [] : [where('recordings.state', 'in', state)]),
    ...(source === undefined ? [] : [where('recordings.source', '=', source)]),
    ...(language === undefined
      ? []
      : [known.languages === null ? byLanguage(where, language) : byKnownLanguages(known.languages, known)]),
    ...(tag ?? []).map((id) =>
      where(
        'recordings.id',
        'in',
        where.selectFrom('recording_tags').where('tag_id', '=', id).select('recording_id'),
      ),
    ),
    ...(favourite === undefined
      ? []
      : [
          where(
            'recordings.id',
            'in',
            where.selectFrom('favourites').where('user_id', '=', known.ownerId).select('recording_id'),
          ),
        ]),
  ]);
}
