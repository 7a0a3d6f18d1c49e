import { useLingui } from '@lingui/react/macro';
import { languageName } from '#base/language-name.ts';
import type { Recording } from '#contract/recordings.ts';
import type { Tag } from '#contract/library-api.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { stateMessages } from '#web/recordings/state/state-messages.ts';
import { lengthOf, type Length } from './lengths.ts';
import type { LibraryView, Sort } from './library-view.ts';
import type { Period } from './periods.ts';

export interface FilterMessages {
  periods: Record<Period, string>;
  sorts: Record<Sort, string>;
  lengths: Record<Length, string>;
  states: Record<Recording['state'], string>;
  sources: Record<Recording['source'], string>;
  language: (tag: string) => string;
}

/** The names of the library's filters and sort orders. */
export function useFilterMessages(): FilterMessages {
  const { t, i18n } = useLingui();
  const { locale } = useFormat();
  return {
    periods: { today: t`Today`, '7-days': t`Last 7 days`, month: t`This month`, year: t`This year` },
    sorts: {
      newest: t`Newest first`,
      oldest: t`Oldest first`,
      longest: t`Longest first`,
      shortest: t`Shortest first`,
      title: t`Title A–Z`,
      largest: t`Largest first`,
      'recently-changed': t`Recently changed`,
    },
    lengths: {
      'below-minute': t`Under 1 minute`,
      minutes: t`1 to 10 minutes`,
      'below-hour': t`10 to 60 minutes`,
      hours: t`Over 1 hour`,
    },
    states: {
      receiving: i18n._(stateMessages['recording-elsewhere'].short),
      finishing: i18n._(stateMessages.checking.long),
      ready: i18n._(stateMessages.server.short),
      abandoned: i18n._(stateMessages.interrupted.short),
      failed: i18n._(stateMessages['not-ready'].long),
    },
    sources: { microphone: t`Recorded`, import: t`Imported` },
    language: (tag) => (tag === 'und' ? t`No language set` : languageName(tag, locale)),
  };
}

export interface ActiveFilter {
  id: string;
  text: string;
  /** The view without this filter. */
  without: LibraryView;
}

/** The active filters of a view, each with its text. */
export function useActiveFilters(view: LibraryView, tagsById: ReadonlyMap<string, Tag>): ActiveFilter[] {
  const { t } = useLingui();
  const messages = useFilterMessages();
  const format = useFormat();
  const day = (text: string | null) => (text === null ? '' : format.date(new Date(`${text}T12:00:00`)));
  const filters: ActiveFilter[] = [];
  const add = (id: string, text: string, change: Partial<LibraryView>) =>
    filters.push({ id, text, without: { ...view, ...change } });
  if (view.period !== null) add('period', messages.periods[view.period], { period: null });
  if (view.isFavourite) add('favourite', t`Favourites`, { isFavourite: false });
  addDays();
  addLengths();
  for (const state of view.states)
    add(`state-${state}`, messages.states[state], { states: view.states.filter((other) => other !== state) });
  if (view.source !== null) add('source', messages.sources[view.source], { source: null });
  if (view.language !== null) add('language', messages.language(view.language), { language: null });
  for (const tagId of view.tagIds)
    add(tagId, tagsById.get(tagId)?.name ?? t`A deleted tag`, {
      tagIds: view.tagIds.filter((other) => other !== tagId),
    });
  return filters;

  function addDays(): void {
    const [from, to] = [day(view.from), day(view.to)];
    if (view.from !== null) add('from', t`From ${from}`, { from: null });
    if (view.to !== null) add('to', t`Until ${to}`, { to: null });
  }

  function addLengths(): void {
    const length = lengthOf(view);
    if (length !== null) {
      add('length', messages.lengths[length], { minMs: null, maxMs: null });
      return;
    }
    const [shortest, longest] = [view.minMs, view.maxMs].map((ms) => isoLeftToRight(formatTimecode(ms ?? 0)));
    if (view.minMs !== null) add('minMs', t`Longer than ${shortest}`, { minMs: null });
    if (view.maxMs !== null) add('maxMs', t`Shorter than ${longest}`, { maxMs: null });
  }
}
