import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { SearchField } from '#web/ui/controls/search-field.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { EmptyLibrary, ListTrouble, NothingFound, RowsSkeleton, SignedOutNotice } from './library-states.tsx';
import type { LocalOverviews } from './local-overviews.ts';
import { RecordingList } from './recording-list.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { rowsOf, type LibraryRow, type LocalTakeFacts } from './rows.ts';
import type { RecordingActions } from './actions/use-recording-actions.ts';
import { useRecordings, type RecordingsQuery } from './use-recordings.ts';
import styles from './rows.module.css';

/** How long typing rests before the server is asked. */
const searchPauseMs = 250;

export interface LibraryScreenProps {
  /** `unknown` while it is being found out. */
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTakes: readonly LocalTakeFacts[];
  overviews: LocalOverviews;
  actions: RecordingActions;
  onSignIn: () => void;
}

export function LibraryScreen({ session, localTakes, overviews, actions, onSignIn }: LibraryScreenProps) {
  const { t } = useLingui();
  const { typed, search, setTyped, clear } = useSearch();
  const [renamed, setRenamed] = useState<LibraryRow | null>(null);
  const query = useRecordings({ search, isEnabled: session === 'signed-in' });
  const rows = rowsOf({ takes: localTakes, recordings: query.recordings, search, hasServerList: query.hasList });
  const isLoading = session === 'unknown' || query.isLoading;
  const isSearching = (search + typed).trim() !== '';
  const hasRows = rows.length > 0;
  return (
    <>
      <PageHeader title={<Trans>Library</Trans>} />
      {(hasRows || isLoading || isSearching) && <SearchField label={t`Search recordings`} value={typed} onChange={setTyped} className={styles.search} />}
      <ListNotices isSignedOut={session === 'signed-out' && hasRows} query={query} onSignIn={onSignIn} />
      <SearchCount count={isSearching && !isLoading ? rows.length : null} />
      {hasRows
        ? <RecordingList rows={rows} overviews={overviews} actions={{ onRename: setRenamed, onMoveToTrash: actions.moveToTrash }} />
        : <NoRows isLoading={isLoading} isBroken={query.error !== null} search={search.trim()} onClear={clear} />}
      <LoadMore query={query} />
      {renamed && <RenameDialog title={renamed.title} onSave={(title) => actions.rename(renamed, title)} onClose={() => setRenamed(null)} />}
    </>
  );
}

function ListNotices({ isSignedOut, query, onSignIn }: { isSignedOut: boolean; query: RecordingsQuery; onSignIn: () => void }) {
  return (
    <>
      {isSignedOut && <SignedOutNotice onSignIn={onSignIn} />}
      {query.error && <ListTrouble error={query.error} onRetry={query.retry} />}
    </>
  );
}

/** For ears: how many rows a search left. */
function SearchCount({ count }: { count: number | null }) {
  return <VisuallyHidden><output>{count !== null && <Plural value={count} one="# recording found" other="# recordings found" />}</output></VisuallyHidden>;
}

function NoRows({ isLoading, isBroken, search, onClear }: { isLoading: boolean; isBroken: boolean; search: string; onClear: () => void }) {
  if (isLoading) return <RowsSkeleton />;
  if (isBroken) return null;
  return search === '' ? <EmptyLibrary /> : <NothingFound search={search} onClear={onClear} />;
}

function useSearch() {
  const [typed, show] = useState('');
  const [search, setSearch] = useState('');
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const setTyped = (text: string) => {
    show(text);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => setSearch(text), text === '' ? 0 : searchPauseMs);
  };
  return { typed, search, setTyped, clear: () => setTyped('') };
}

/** Loads the next page when it comes near the window; the button does the same for whoever cannot scroll. */
function LoadMore({ query }: { query: RecordingsQuery }) {
  return query.hasMore ? <NextPage isPending={query.isFetchingMore} onLoad={query.loadMore} /> : null;
}

function NextPage({ isPending, onLoad }: { isPending: boolean; onLoad: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const handleNear = useEffectEvent(onLoad);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) handleNear();
    }, { rootMargin: '800px' });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={end} className={styles.more}><Button isPending={isPending} onPress={onLoad}><Trans>Load more</Trans></Button></div>;
}
