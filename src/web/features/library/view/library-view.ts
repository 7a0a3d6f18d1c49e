import type { Recording } from '#contract/recordings.ts';
import { periods, type Period } from './periods.ts';

type State = Recording['state'];
type Source = Recording['source'];

export const sorts = [
  'newest',
  'oldest',
  'longest',
  'shortest',
  'title',
  'largest',
  'recently-changed',
] as const;
export type Sort = (typeof sorts)[number];

const states: readonly State[] = ['receiving', 'finishing', 'ready', 'abandoned', 'failed'];
export const sources: readonly Source[] = ['microphone', 'import'];

/** The filters, search and sort order of the library, as in the page's URL. */
export interface LibraryView {
  search: string;
  sort: Sort;
  /** A period relative to today; otherwise the days from `from` to `to`, such as `2026-11-21`. */
  period: Period | null;
  from: string | null;
  to: string | null;
  minMs: number | null;
  maxMs: number | null;
  states: readonly State[];
  source: Source | null;
  language: string | null;
  tagIds: readonly string[];
  /** Favourites only. */
  isFavourite: boolean;
}

export const wholeLibrary: LibraryView = {
  search: '',
  sort: 'newest',
  period: null,
  from: null,
  to: null,
  minMs: null,
  maxMs: null,
  states: [],
  source: null,
  language: null,
  tagIds: [],
  isFavourite: false,
};

const oneOf = <T extends string>(known: readonly T[], text: string | null): T | null =>
  known.find((candidate) => candidate === text) ?? null;
const dayOf = (text: string | null): string | null =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
const integerOf = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
const idsOf = (text: string): string[] => text.split(',').filter((id) => /^[0-9a-f-]{36}$/.test(id));

/** Parses a view from a query string. Invalid values are ignored. */
export function parseView(query: string): LibraryView {
  const fields = new URLSearchParams(query);
  const period = oneOf(periods, fields.get('period'));
  return {
    search: (fields.get('search') ?? '').slice(0, 200),
    sort: oneOf(sorts, fields.get('sort')) ?? wholeLibrary.sort,
    period,
    from: period === null ? dayOf(fields.get('from')) : null,
    to: period === null ? dayOf(fields.get('to')) : null,
    minMs: integerOf(fields.get('minMs')),
    maxMs: integerOf(fields.get('maxMs')),
    states: states.filter((state) => fields.getAll('state').join(',').split(',').includes(state)),
    source: oneOf(sources, fields.get('source')),
    language: /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.exec(fields.get('language') ?? '')?.[0] ?? null,
    tagIds: [...new Set(idsOf(fields.getAll('tag').join(',')))].slice(0, 20),
    isFavourite: fields.get('favourite') === 'true',
  };
}

/**
 * Formats a view as a query string without the question mark. Equal views give equal strings; the whole library
 * gives an empty one.
 */
export function printView(view: LibraryView): string {
  const fields: [string, string | number | true | null][] = [
    ['search', view.search.trim() || null],
    ['sort', view.sort === wholeLibrary.sort ? null : view.sort],
    ['period', view.period],
    ['from', view.from],
    ['to', view.to],
    ['minMs', view.minMs],
    ['maxMs', view.maxMs],
    ['state', view.states.join(',') || null],
    ['source', view.source],
    ['language', view.language],
    ['tag', view.tagIds.join(',') || null],
    ['favourite', view.isFavourite || null],
  ];
  const written = fields.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  return new URLSearchParams(written).toString();
}

/** Whether filters other than the search are set. */
export const isFiltered = (view: LibraryView): boolean =>
  printView({ ...view, search: '', sort: wholeLibrary.sort }) !== '';

/** The view with the same order and search, without filters. */
export const withoutFilters = ({ search, sort }: LibraryView): LibraryView => ({
  ...wholeLibrary,
  search,
  sort,
});

/** The direction if a view is sorted by time; null for another order. */
export const timeOrderOf = (sort: Sort): 'newest' | 'oldest' | null =>
  sort === 'newest' || sort === 'oldest' ? sort : null;
