import type { CallInput } from '#web/api/call.ts';
import type { LibraryView } from './library-view.ts';
import { firstDayOf } from './periods.ts';

type ListQuery = NonNullable<CallInput<'listRecordings'>['query']>;
/** The filter of a view as the server knows it. */
export type FilterQuery = NonNullable<CallInput<'listRecordingIds'>['query']>;

/** The filter of a view for the server; days are those of the device's time zone. */
export function filterQueryOf(view: LibraryView, now: Date): FilterQuery {
  const from = view.period === null ? view.from : firstDayOf(view.period, now);
  const timeZone =
    from === null && view.to === null ? null : Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...some('search', view.search.trim() || null),
    ...some('from', from),
    ...some('to', view.to),
    ...some('timeZone', timeZone),
    ...some('minMs', view.minMs),
    ...some('maxMs', view.maxMs),
    ...some('state', view.states.join(',') || null),
    ...some('source', view.source),
    ...some('language', view.language),
    ...some('tag', view.tagIds.join(',') || null),
    ...some('favourite', view.isFavourite ? ('true' as const) : null),
  };
}

/** The same with the order of the list. */
export function listQueryOf(view: LibraryView, now: Date): ListQuery {
  return { ...filterQueryOf(view, now), ...(view.sort === 'newest' ? {} : { sort: view.sort }) };
}

const some = <Name extends string, Value>(name: Name, value: Value | null): Partial<Record<Name, Value>> => {
  const field: Partial<Record<Name, Value>> = {};
  if (value !== null) field[name] = value;
  return field;
};
