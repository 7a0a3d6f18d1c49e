import { Trans, useLingui } from '@lingui/react/macro';
import { Plus } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { newId } from '#device/new-id.ts';
import { newLinkOf } from '#web/features/sharing/links/new-link.ts';
import { shareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import { createLink } from '#web/features/sharing/links/share-calls.ts';
import type { Links } from '#web/features/sharing/links/share-queries.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { LinkItem } from '#web/features/sharing/list/link-item.tsx';
import styles from './sheet.module.css';

export interface LinkListProps {
  links: Links;
  target: ShareTarget;
  /** Shows one link to change. `password`: the one that was just set. */
  onOpen: (shareId: string, password?: string | null) => void;
}

/** Everything that opens a recording to others, and a button for a new link. */
export function LinkList({ links: { items, policy }, target, onOpen }: LinkListProps) {
  const { t } = useLingui();
  const create = useAction(async () => {
    const body = newLinkOf(target, policy);
    const share = await createLink(target.recordingId, { id: newId(), ...body });
    onOpen(share.id, body.password ?? null);
  });
  const shown = items.filter(({ state }) => state !== 'revoked');
  const isOff = policy.links === 'off';
  return (
    <>
      {isOff && (
        <Notice tone="info">
          <Trans>Sharing is turned off on this server. Ask the person who runs it.</Trans>
        </Notice>
      )}
      {shown.length === 0 && !isOff && (
        <p className={styles.hint}>
          <Trans>No one else can listen to this recording.</Trans>
        </p>
      )}
      {shown.length > 0 && (
        <ul aria-label={t`Links`} className={styles.links}>
          {shown.map((share) => (
            <LinkItem
              key={share.id}
              share={share}
              policy={policy}
              isGrowing={target.isGrowing}
              onOpen={() => onOpen(share.id)}
            />
          ))}
        </ul>
      )}
      <div className={styles.bar}>
        {!isOff && (
          <Button
            variant={shown.length === 0 ? 'primary' : 'quiet'}
            icon={<Plus aria-hidden />}
            isPending={create.isPending}
            onPress={create.run}
          >
            {target.span ? <Trans>New link to the selection</Trans> : <Trans>New link</Trans>}
          </Button>
        )}
        <Link href="/shared" onClick={() => shareSheet.set(null)} className={styles.all}>
          <Trans>All shared links</Trans>
        </Link>
      </div>
    </>
  );
}
