import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '#web/request-states/query-state.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { openShareSheet, shareSheet, type OpenSheet } from '#web/features/sharing/signs/open-sheet.ts';
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
      losesTypedText
      title={
        <Trans>
          Share “<UserText>{title}</UserText>”
        </Trans>
      }
      onOpenChange={(isOpen) => {
        if (!isOpen) shareSheet.set(null);
      }}
    >
      <SheetContent key={open.recordingId} open={open} />
    </Dialog>
  );
}

function SheetContent({ open }: { open: OpenSheet }) {
  const { t } = useLingui();
  const answer = useQuery(linksOfRecording(open.recordingId));
  const { data } = answer;
  if (!data)
    return <QueryState of={shareKeys.ofRecording(open.recordingId)} answer={answer} label={t`Opening…`} />;
  const share = data.items.find(({ id }) => id === open.shareId);
  return (
    <div className={styles.sheet}>
      {share && share.state !== 'revoked' ? (
        <LinkEditor
          key={share.id}
          share={share}
          policy={data.policy}
          target={open}
          password={open.password}
          onBack={() => openShareSheet(open)}
        />
      ) : (
        <LinkList
          links={data}
          target={open}
          onOpen={(shareId, password = null) => openShareSheet(open, { shareId, password })}
        />
      )}
      <SafetyFacts />
    </div>
  );
}
