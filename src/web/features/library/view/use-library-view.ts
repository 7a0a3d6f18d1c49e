import { useMemo, useRef, useState } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';
import { parseView, printView, type LibraryView } from './library-view.ts';

/** Delay after the last keystroke before the search is sent. */
const searchDelayMs = 250;

export interface ShownView {
  view: LibraryView;
  /** Shows another view as a new history entry, or replaces the current one. */
  show: (view: LibraryView, options?: { replace?: boolean }) => void;
  /** The text of the search field; the view follows after a pause in typing. */
  typed: string;
  type: (text: string) => void;
}

/** The view in the page's URL; Back and Forward move through earlier views. */
export function useLibraryView(): ShownView {
  const query = useSearch();
  const view = useMemo(() => parseView(query), [query]);
  const [draft, setDraft] = useState<{ text: string; search: string } | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The typed text applies until the URL changes, for example by going back.
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
    else pause.current = setTimeout(commit, searchDelayMs);
  };
  return { view, show, typed, type };
}
