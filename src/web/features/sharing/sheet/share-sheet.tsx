import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '#web/request-states/query-state.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { shareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { linksOfRecording } from '#web/features/sharing/links/share-queries.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';
import { LinkEditor } from './link-editor.tsx';
import { LinkList } from './link-list.tsx';
import { SafetyFacts } from './safety-facts.tsx';
import styles from './sheet.module.css';

/** The sheet with the links of a recording, or one of them to change. */
export function ShareSheet() {
  const open = useStore(shareSheet);
  if (open === null) return null;
  const { title } = open;
  return (
    <Dialog
      size="l"
      isOpen
      title={
        <Trans>
          Share “<UserText>{title}</UserText>”
        </Trans>
      }
      onOpenChange={(isOpen) => {
        if (!isOpen) shareSheet.set(null);
      }}
    >
      <SheetContent key={open.recordingId} target={open} />
    </Dialog>
  );
}

function SheetContent({ target }: { target: ShareTarget }) {
  const { t } = useLingui();
  const opened = shareSheet.getSnapshot();
  const [shown, setShown] = useState<{ shareId: string | null; password: string | null }>({
    shareId: opened?.shareId ?? null,
    password: opened?.password ?? null,
  });
  const answer = useQuery(linksOfRecording(target.recordingId));
  const { data } = answer;
  if (!data)
    return <QueryState of={shareKeys.ofRecording(target.recordingId)} answer={answer} label={t`Opening…`} />;
  const share = data.items.find(({ id }) => id === shown.shareId);
  return (
    <div className={styles.sheet}>
      {share && share.state !== 'revoked' ? (
        <LinkEditor
          key={share.id}
          share={share}
          policy={data.policy}
          target={target}
          password={shown.password}
          onBack={() => setShown({ shareId: null, password: null })}
        />
      ) : (
        <LinkList
          links={data}
          target={target}
          onOpen={(shareId, password = null) => setShown({ shareId, password })}
        />
      )}
      <SafetyFacts />
    </div>
  );
}
