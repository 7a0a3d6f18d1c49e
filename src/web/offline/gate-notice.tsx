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

/**
 * The gate takes a navigation of the whole page where its own sign-in is, and the server leads back from
 * there.
 */
function leaveForGate(): void {
  location.assign(returnUrlOf(`${location.pathname}${location.search}${location.hash}`));
}

/**
 * Asks the server once where the thread of a take found the gate closed: the page itself may not have called
 * since.
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
 * Says that something in front of the server wants a sign-in of its own, and leads there; not while a take
 * runs, which leaving the page would end.
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
