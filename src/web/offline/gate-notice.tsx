import { useEffect } from 'react';
import { Trans } from '@lingui/react/macro';
import { LockKeyhole } from 'lucide-react';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import { returnUrlOf } from '#contract/links.ts';
import { connection } from '#web/api/connection/connection.ts';
import { session } from '#web/api/session.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import styles from './offline.module.css';

/** A gate redirects a navigation of the whole page to its own sign-in. The server leads back from there. */
function leaveForGate(): void {
  location.assign(returnUrlOf(`${location.pathname}${location.search}${location.hash}`));
}

/**
 * Sends one request if a take's worker found the gate closed, because the page itself may not have sent any since.
 */
function useRefreshOnce(condition: UploadCondition | null): void {
  const isClosed = condition === 'gate-closed';
  useEffect(() => {
    if (isClosed) session.refresh().catch(() => undefined);
  }, [isClosed]);
}

export interface GateNoticeProps {
  isRecording: boolean;
  uploading: UploadCondition | null;
}

/**
 * Says that a gate in front of the server wants its own sign-in, and links to it. Hidden while a take runs,
 * because leaving the page would end it.
 */
export function GateNotice({ isRecording, uploading }: GateNoticeProps) {
  useRefreshOnce(uploading);
  const isGated = useStore(connection) === 'gated';
  if (!isGated || isRecording) return null;
  return (
    <Notice
      tone="warn"
      role="note"
      className={styles.gate}
      title={<Trans>Your network asks you to sign in</Trans>}
      action={
        <Button variant="primary" icon={<LockKeyhole aria-hidden />} onPress={leaveForGate}>
          <Trans>Go to sign-in page</Trans>
        </Button>
      }
    >
      <Trans>
        A proxy, a company access page or the network you’re on is asking. Until you sign in there, Earshot
        can’t reach the server. Recordings on this device stay safe and upload automatically afterwards.
      </Trans>
    </Notice>
  );
}
