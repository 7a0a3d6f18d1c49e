import { Trans } from '@lingui/react/macro';
import { AudioLines, LogIn, Mic, SearchX, ShieldCheck } from 'lucide-react';
import { isBlocked } from '#device/takes/recording-state.ts';
import { viewer } from '#device/takes/viewer.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import {
  canSignIn,
  OtherOwnersLines,
  SignInToSave,
  useOtherOwners,
} from '#web/recordings/owners/other-owners.tsx';
import { SessionEnded } from '#web/recordings/owners/session-ended.tsx';
import { standingSentences, useTabStanding } from '#web/recordings/owners/tab-standing.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { DeviceOnlyNotice } from '#web/request-states/unreachable-notice.tsx';
import type { LibraryItem } from '#web/features/library/list/library-items.ts';
import styles from '#web/features/library/list/rows.module.css';

export function RowsSkeleton() {
  return (
    <div data-early="rows" className={styles.skeleton}>
      <VisuallyHidden>
        <output>
          <Trans>Loading recordings…</Trans>
        </output>
      </VisuallyHidden>
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}

/**
 * The empty list. It says that there are no recordings only if that is true of everyone at this device and of the
 * account: not while other accounts have some here, nor after a session that ended elsewhere.
 */
export function EmptyLibrary({ session }: { session: 'unknown' | 'signed-out' | 'signed-in' }) {
  const others = useOtherOwners();
  const { tab } = useStore(viewer);
  const standing = useTabStanding();
  if (session === 'signed-out' && (others.length > 0 || tab.ownerId !== null))
    return (
      <EmptyState
        icon={<ShieldCheck />}
        title={tab.ownerId === null || standing !== null ? undefined : <Trans>Your session has ended</Trans>}
        action={(standing === null || others.some(canSignIn)) && <SignInToSave />}
      >
        {standing !== null && <p>{standingSentences[standing]}</p>}
        {others.length > 0 ? (
          <OtherOwnersLines others={others} />
        ) : (
          standing === null && <Trans>Sign in again to see your recordings.</Trans>
        )}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<AudioLines />}
      title={
        others.length > 0 ? (
          <Trans>Your account has no recordings yet</Trans>
        ) : (
          <Trans>No recordings yet</Trans>
        )
      }
      action={
        <LinkButton href="/" variant="primary" icon={<Mic aria-hidden />}>
          <Trans>Record</Trans>
        </LinkButton>
      }
    >
      <Trans>
        Recordings appear here as soon as you start them. You can play them while you’re still recording.
      </Trans>
      <OtherOwnersLines others={others} />
    </EmptyState>
  );
}

export interface NothingFoundProps {
  search: string;
  filters: readonly string[];
  onClear: () => void;
}

/** Names the search and filters that matched nothing, and offers to clear them. */
export function NothingFound({ search, filters, onClear }: NothingFoundProps) {
  const format = useFormat();
  const named = format.list(filters.map((text) => iso(text)));
  return (
    <EmptyState
      icon={<SearchX />}
      action={
        <Button onPress={onClear}>
          <Trans>Show all recordings</Trans>
        </Button>
      }
      title={
        search === '' ? (
          <Trans>No recordings match these filters</Trans>
        ) : (
          <Trans>
            No recordings match “<UserText>{search}</UserText>”
          </Trans>
        )
      }
    >
      {filters.length === 0 ? (
        <Trans>Search covers titles, markers, notes, people, tags, dates and file names.</Trans>
      ) : (
        <Trans>Active filters: {named}</Trans>
      )}
    </EmptyState>
  );
}

interface SignedOutNoticeProps {
  rows: readonly Pick<LibraryItem, 'state'>[];
  onSignIn: () => void;
}

/**
 * Rendered after the recordings, which are more important. It offers a sign-in only for what a sign-in changes: it
 * saves no row that the server has or doesn't take, and nobody can sign in to an account that is gone, whose take may
 * still run.
 */
export function SignedOutNotice({ rows, onSignIn }: SignedOutNoticeProps) {
  const { tab } = useStore(viewer);
  const standing = useTabStanding();
  const isSavable = ({ state }: Pick<LibraryItem, 'state'>) =>
    !isBlocked(state) && state !== 'server' && (standing === null || state !== 'recording-here');
  const savableCount = rows.filter(isSavable).length;
  return (
    <p className={styles.signedOut}>
      {standing === null ? (
        <SignInOffer hasEnded={tab.ownerId !== null} savableCount={savableCount} />
      ) : (
        <>
          {standingSentences[standing]}{' '}
          {savableCount > 0 && <Trans>Sign in to save the other recordings on the server.</Trans>}
        </>
      )}
      {(standing === null || savableCount > 0) && (
        <Button variant="plain" icon={<LogIn aria-hidden />} onPress={onSignIn}>
          <Trans>Sign in</Trans>
        </Button>
      )}
    </p>
  );
}

/** @param props.hasEnded whether the session ended without a sign-out */
function SignInOffer({ hasEnded, savableCount }: { hasEnded: boolean; savableCount: number }) {
  if (hasEnded) return <SessionEnded unsavedCount={savableCount} />;
  return savableCount > 0 ? (
    <Trans>
      You’re seeing the recordings on this device. Sign in to see all your recordings and to save these on the
      server.
    </Trans>
  ) : (
    <Trans>You’re seeing the recordings on this device. Sign in to see all your recordings.</Trans>
  );
}

interface LibraryUnreachableProps {
  rows: readonly Pick<LibraryItem, 'isUnavailable'>[];
  /** Whether the user has more recordings than the list shows. */
  isPartial: boolean;
}

/** Says that the server can't be reached, what the list shows instead, and why some rows are grey or missing. */
export function LibraryUnreachable({ rows, isPartial }: LibraryUnreachableProps) {
  return (
    <DeviceOnlyNotice>
      {rows.some(({ isUnavailable }) => isUnavailable) && (
        <Trans>Recordings in grey can be played and changed when you’re back online.</Trans>
      )}
      {isPartial && (
        <>
          {' '}
          <Trans>The rest appears when the server responds.</Trans>
        </>
      )}
    </DeviceOnlyNotice>
  );
}

export function ListError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const messageOf = useErrorMessage();
  const action = (
    <Button onPress={onRetry}>
      <Trans>Try again</Trans>
    </Button>
  );
  return (
    <Notice
      tone="warn"
      role="alert"
      className={styles.notice}
      title={<Trans>Couldn’t load your recordings from the server.</Trans>}
      action={action}
    >
      {messageOf(error)}
    </Notice>
  );
}
