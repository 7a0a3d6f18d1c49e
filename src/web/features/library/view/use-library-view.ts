import { useMemo, useRef, useState } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';
import { parseView, printView, type LibraryView } from './library-view.ts';

/** How long typing rests before the server is asked. */
const searchPauseMs = 250;

export interface ShownView {
  view: LibraryView;
  /** Shows another view as a new entry of the history, or in place of the present one. */
  show: (view: LibraryView, options?: { replace?: boolean }) => void;
  /** What stands in the search field; the view follows when typing rests. */
  typed: string;
  type: (text: string) => void;
}

/** The view that the page's address names; back and forward lead through those that were shown. */
export function useLibraryView(): ShownView {
  const query = useSearch();
  const view = useMemo(() => parseView(query), [query]);
  const [draft, setDraft] = useState<{ text: string; search: string } | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What was typed counts until the address says something else, as it does after going back.
  const typed = draft?.search === view.search ? draft.text : view.search;
  const show: ShownView['show'] = (next, { replace = false } = {}) => {
    clearTimeout(pause.current);
    const written = printView(next);
    setDraft(null);
    if (written === printView(view)) return;
    navigate(written === '' ? location.pathname : `${location.pathname}?${written}`, { replace });
    scrollTo(0, 0);
  };
  const type = (text: string) => {
    clearTimeout(pause.current);
    setDraft({ text, search: view.search });
    const search = text.trim();
    const commit = () => {
      if (search !== view.search) show({ ...view, search }, { replace: view.search !== '' });
      setDraft({ text, search });
    };
    if (text === '') commit();
    else pause.current = setTimeout(commit, searchPauseMs);
  };
  return { view, show, typed, type };
}
