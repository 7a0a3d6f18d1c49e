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

/** Whether a filter excludes anything, apart from the search and the trash. */
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

/** `de` matches `de`, `de-AT` and `DE`. In ASCII a hyphen is followed by a dot, which gives the upper bound. */
function byLanguage(where: Where, language: string): Condition {
  if (language === 'und') return where('recordings.language', 'is', null);
  const folded = language.toLowerCase();
  const own = sql<string>`lower(recordings.language)`;
  return where.or([
    where(own, '=', folded),
    where.and([where(own, '>=', `${folded}-`), where(own, '<', `${folded}.`)]),
  ]);
}

/** Languages are not listed individually for an owner with more than this. */
const maxLanguages = 200;

/** Whether a filter matches a recording's language, by the same rule as `byLanguage`. */
function isMeant(stored: string, wanted: string): boolean {
  const [own, folded] = [stored.toLowerCase(), wanted.toLowerCase()];
  return own === folded || own.startsWith(`${folded}-`);
}

/**
 * Lists the owner's languages that a filter matches, with one index step per language. Returns null if the filter
 * does not need them or there are too many.
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
    select language from own where language is not null limit ${maxLanguages + 1}`.execute(database.queries);
  return rows.length > maxLanguages
    ? null
    : rows.map((row) => row.language).filter((stored) => isMeant(stored, language));
}

/**
 * Selects the owner's recordings. SQLite can't estimate the number of rows of a subquery. The unary plus keeps it
 * from scanning all of the owner's recordings when a few are selected by id.
 */
export const ownedBy = (ownerId: string, options: { areNamed: boolean }): Expression<SqlBool> =>
  options.areNamed
    ? sql<boolean>`+recordings.owner_id = ${ownerId}`
    : sql<boolean>`recordings.owner_id = ${ownerId}`;

/** The data besides the filter that its conditions depend on. */
export interface Known {
  ownerId: string;
  /** The owner's languages that the filter matches; null if unknown. */
  languages: readonly string[] | null;
  /**
   * SQLite would collect all recordings of a language and sort them. The unary plus makes it follow the order of
   * the list.
   */
  isInOrder: boolean;
}

function byKnownLanguages(languages: readonly string[], { isInOrder }: Known): RawBuilder<boolean> {
  if (languages.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`${isInOrder ? sql`+recordings.language` : sql.ref('recordings.language')} in (${sql.join(languages)})`;
}

/**
 * The conditions of a filter, apart from the owner and the search.
 * @throws validation (422) for an unknown zone
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
