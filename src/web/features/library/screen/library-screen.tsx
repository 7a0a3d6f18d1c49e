import { Suspense, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import type { BulkActions } from '#web/features/library/actions/use-bulk-actions.ts';
import type { RecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import {
  EmptyLibrary,
  LibraryUnreachable,
  ListError,
  NothingFound,
  RowsSkeleton,
  SignedOutNotice,
} from './library-states.tsx';
import { OtherOwnersNotice } from '#web/recordings/owners/other-owners.tsx';
import styles from '#web/features/library/list/rows.module.css';
import { LibraryDialogs } from './library-dialogs.tsx';
import { LibraryList } from './library-list.tsx';
import type { ListedTake } from '#web/features/library/list/library-items.ts';
import type { RowPlayback } from '#web/features/library/list/row-play.tsx';
import type { RowSharing } from '#web/features/library/list/library-list-item.tsx';
import type { LocalOverviews } from '#web/features/library/list/local-overviews.ts';
import { useTags } from '#web/features/library/tags/use-tags.ts';
import { useLibrary, type LibraryState } from './use-library.ts';
import { ActiveFilters } from '#web/features/library/view/active-filters.tsx';
import { FindBar } from '#web/features/library/view/find-bar.tsx';
import { wholeLibrary, withoutFilters } from '#web/features/library/view/library-view.ts';
import { useFacets } from '#web/features/library/view/use-facets.ts';
import { useActiveFilters, type ActiveFilter } from '#web/features/library/view/use-filter-messages.ts';
import { SavedViews } from '#web/features/library/view/saved-views.tsx';

export interface LibraryScreenProps {
  /** `unknown` until the session check has finished. */
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTakes: readonly ListedTake[];
  overviews: LocalOverviews;
  /** Notices and questions to show above the list. */
  question?: ReactNode;
  actions: RecordingActions;
  bulk: BulkActions;
  /** Rendered beside the heading. */
  headerActions?: ReactNode;
  playback: RowPlayback;
  sharing: RowSharing;
  onSignIn: () => void;
}

/** All recordings, with search, filters, selection and actions. */
export function LibraryScreen({
  session,
  localTakes,
  overviews,
  question,
  actions,
  bulk,
  headerActions,
  playback,
  sharing,
  onSignIn,
}: LibraryScreenProps) {
  const isSignedIn = session === 'signed-in';
  const library = useLibrary({ session, localTakes });
  const { view, show, rows } = library;
  const { tags, tagsById } = useTags(isSignedIn);
  const filters = useActiveFilters(view, tagsById);
  const facets = useFacets(isSignedIn);
  const hasRows = rows.length > 0;
  const set = isSignedIn ? filters : [];
  const hasTools = [
    hasRows,
    library.isLoading,
    library.typed !== '',
    view.search !== '',
    set.length > 0,
  ].includes(true);
  return (
    <>
      <PageHeader title={<Trans>Library</Trans>} actions={headerActions} />
      <SavedViews view={view} isEnabled={isSignedIn} />
      {hasTools && (
        <FindBar
          typed={library.typed}
          onType={library.type}
          filterCount={isSignedIn ? set.length : null}
          count={library.isLoading ? null : library.count}
          view={view}
          facets={facets}
          tags={tags}
          onChange={show}
          onManageTags={() => library.openDialog({ for: 'tags', ids: [] })}
        />
      )}
      <ActiveFilters filters={set} onShow={show} onClear={() => show(withoutFilters(view))} />
      <Suspense fallback={null}>{question}</Suspense>
      {session === 'signed-out' && hasRows && <OtherOwnersNotice className={styles.notice} />}
      <ListNotices library={library} />
      {hasTools && (
        <LibraryList
          library={library}
          overviews={overviews}
          tagsById={tagsById}
          isSignedIn={isSignedIn}
          actions={actions}
          bulk={bulk}
          playback={playback}
          sharing={sharing}
        />
      )}
      <BesideRows
        session={session}
        library={library}
        filters={set}
        onClear={() => show({ ...wholeLibrary, sort: view.sort })}
      />
      {session === 'signed-out' && hasRows && !library.isAway && (
        <SignedOutNotice rows={rows} onSignIn={onSignIn} />
      )}
      <LibraryDialogs library={library} tags={tags} actions={actions} bulk={bulk} />
    </>
  );
}

function ListNotices({ library: { isAway, isPartial, rows, query } }: { library: LibraryState }) {
  if (isAway) return <LibraryUnreachable rows={rows} isPartial={isPartial} />;
  return query.error && <ListError error={query.error} onRetry={query.retry} />;
}

interface BesideRowsProps extends Pick<LibraryScreenProps, 'session'> {
  library: LibraryState;
  filters: readonly ActiveFilter[];
  onClear: () => void;
}

/** Content below the rows or in their place. A partial list must not look complete. */
function BesideRows({ session, library, filters, onClear }: BesideRowsProps) {
  const { rows, query, view, isLoading, isAway } = library;
  if (isLoading) return <RowsSkeleton />;
  // Next to a notice about missing recordings, no message may imply that the list is complete.
  if (rows.length > 0 || query.error !== null || isAway) return null;
  const search = view.search.trim();
  if (search === '' && filters.length === 0) return <EmptyLibrary session={session} />;
  return <NothingFound search={search} filters={filters.map(({ text }) => text)} onClear={onClear} />;
}
