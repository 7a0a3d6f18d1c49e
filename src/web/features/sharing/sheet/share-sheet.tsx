import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '#web/request-states/query-state.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { openShareSheet, shareSheet, type OpenSheet } from '#web/features/sharing/signs/open-sheet.ts';
import { linksOfRecording, type Links } from '#web/features/sharing/links/share-queries.ts';
import { linkNumbers } from '#web/features/sharing/list/link-names.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';
import { LinkEditor } from './link-editor.tsx';
import { LinkList } from './link-list.tsx';
import { NewLink } from './new-link.tsx';
import { SafetyFacts } from './safety-facts.tsx';
import { unsavedLink } from './unsaved-link.ts';
import styles from './sheet.module.css';

/** The sheet with the links of a recording, one of them to change, or a new one. Asks before it discards changes. */
export function ShareSheet() {
  const open = useStore(shareSheet);
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  if (open === null) return null;
  const { title } = open;
  const leave = (then: () => void) => {
    if (unsavedLink.getSnapshot()) setLeaving(() => then);
    else then();
  };
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
        if (!isOpen) leave(() => shareSheet.set(null));
      }}
    >
      <SheetContent key={`${open.recordingId} ${open.shareId ?? ''}`} open={open} onLeave={leave} />
      {leaving && (
        <ConfirmDialog
          title={<Trans>Discard changes?</Trans>}
          action={<Trans>Discard</Trans>}
          cancelLabel={<Trans>Keep editing</Trans>}
          onConfirm={leaving}
          onClose={() => setLeaving(null)}
        >
          <Trans>What you changed on this link isn’t saved.</Trans>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

interface SheetContentProps {
  open: OpenSheet;
  /** Does something that ends the form, after a question if that discards changes. */
  onLeave: (then: () => void) => void;
}

function SheetContent({ open, onLeave }: SheetContentProps) {
  const { t } = useLingui();
  const answer = useQuery(linksOfRecording(open.recordingId));
  const { data } = answer;
  if (!data)
    return <QueryState of={shareKeys.ofRecording(open.recordingId)} answer={answer} label={t`Opening…`} />;
  return (
    <div className={styles.sheet}>
      <SheetPart open={open} links={data} onLeave={onLeave} />
      <SafetyFacts />
    </div>
  );
}

/** A first press shows what a new link would allow; nothing exists before it is copied. */
function SheetPart({ open, links, onLeave }: SheetContentProps & { links: Links }) {
  const { items, policy } = links;
  const hasList = items.some(({ state }) => state !== 'revoked');
  const [isNew, setNew] = useState(open.span !== null || !hasList);
  const share = items.find(({ id }) => id === open.shareId);
  if (share && share.state !== 'revoked')
    return (
      <LinkEditor
        key={share.id}
        share={share}
        policy={policy}
        target={open}
        password={open.password}
        number={linkNumbers(items).get(share.id) ?? items.length}
        onBack={() => onLeave(() => openShareSheet({ ...open, span: null }))}
      />
    );
  if (isNew && policy.links !== 'off')
    return (
      <NewLink
        policy={policy}
        target={open}
        number={items.length + 1}
        onBack={hasList ? () => onLeave(() => setNew(false)) : undefined}
      />
    );
  return (
    <LinkList
      links={links}
      target={open}
      onNew={() => setNew(true)}
      onOpen={(shareId) => openShareSheet(open, { shareId })}
    />
  );
}
