import { Trans, useLingui } from '@lingui/react/macro';
import { FileQuestion, LogIn } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { DocumentTitle } from '#web/ui/text/document-title.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import type { FoundRecording } from '#web/features/player/data/use-recording.ts';
import { RecordingUnreachable } from './recording-unreachable.tsx';
import styles from './player-states.module.css';

/** The skeleton of the player while the recording is looked up. */
function PlayerSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden>
        <output>
          <Trans>Opening recording…</Trans>
        </output>
      </VisuallyHidden>
      <span data-early="title" className={styles.title} />
      <span className={styles.facts} />
      <span className={styles.card} />
    </div>
  );
}

function RecordingNotFound({ isSignedOut, onSignIn }: { isSignedOut: boolean; onSignIn: () => void }) {
  const { t } = useLingui();
  const action = (
    <>
      {isSignedOut && (
        <Button variant="primary" icon={<LogIn aria-hidden />} onPress={onSignIn}>
          <Trans>Sign in</Trans>
        </Button>
      )}
      <LinkButton href="/library">
        <Trans>Go to library</Trans>
      </LinkButton>
    </>
  );
  return (
    <>
      <DocumentTitle>{t`Recording not found`}</DocumentTitle>
      <PageHeader title={<Trans>Recording not found</Trans>} />
      <EmptyState
        icon={<FileQuestion />}
        title={<Trans>There’s no recording at this address.</Trans>}
        action={action}
      >
        {isSignedOut ? (
          <Trans>The recording may belong to an account. Sign in to listen to it.</Trans>
        ) : (
          <Trans>The recording may be in the trash, permanently deleted, or in another account.</Trans>
        )}
      </EmptyState>
    </>
  );
}

export interface NoRecordingProps {
  recordingId: string;
  found: Exclude<FoundRecording, { status: 'found' }>;
  onSignIn: () => void;
}

/** Replaces the player while the recording is looked up, does not exist, or can't be reached. */
export function NoRecording({ recordingId, found, onSignIn }: NoRecordingProps) {
  if (found.status === 'looking') return <PlayerSkeleton />;
  if (found.status === 'missing')
    return <RecordingNotFound isSignedOut={found.isSignedOut} onSignIn={onSignIn} />;
  return <RecordingUnreachable recordingId={recordingId} error={found.error} onRetry={found.retry} />;
}

export function RecordingInTrash({ onRestore }: { onRestore: () => void }) {
  return (
    <Notice
      tone="warn"
      className={styles.notice}
      action={
        <Button onPress={onRestore}>
          <Trans>Restore</Trans>
        </Button>
      }
    >
      <Trans>This recording is in the trash.</Trans>
    </Notice>
  );
}
