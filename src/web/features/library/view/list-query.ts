import type { CallInput } from '#web/api/call.ts';
import type { LibraryView } from './library-view.ts';
import { firstDayOf } from './periods.ts';

type ListQuery = NonNullable<CallInput<'listRecordings'>['query']>;
/** The filter of a view in the API's form. */
export type FilterQuery = NonNullable<CallInput<'listRecordingIds'>['query']>;

/** Converts a view to the API's filter. Days are in the time zone of the device. */
export function filterQueryOf(view: LibraryView, now: Date): FilterQuery {
  const from = view.period === null ? view.from : firstDayOf(view.period, now);
  const timeZone =
    from === null && view.to === null ? null : Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...optionalField('search', view.search.trim() || null),
    ...optionalField('from', from),
    ...optionalField('to', view.to),
    ...optionalField('timeZone', timeZone),
    ...optionalField('minMs', view.minMs),
    ...optionalField('maxMs', view.maxMs),
    ...optionalField('state', view.states.join(',') || null),
    ...optionalField('source', view.source),
    ...optionalField('language', view.language),
    ...optionalField('tag', view.tagIds.join(',') || null),
    ...optionalField('favourite', view.isFavourite ? ('true' as const) : null),
  };
}

/** The filter with the sort order of the list, and the kinds of hits that this page shows. */
export function listQueryOf(view: LibraryView, now: Date): ListQuery {
  const filter = filterQueryOf(view, now);
  return {
    ...filter,
    ...(filter.search === undefined ? {} : { hits: 'transcript' as const }),
    ...(view.sort === 'newest' ? {} : { sort: view.sort }),
  };
}

const optionalField = <Name extends string, Value>(
  name: Name,
  value: Value | null,
): Partial<Record<Name, Value>> => {
  const field: Partial<Record<Name, Value>> = {};
  if (value !== null) field[name] = value;
  return field;
};
