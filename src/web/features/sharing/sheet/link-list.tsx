import { Trans, useLingui } from '@lingui/react/macro';
import { Plus } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { shareSheet, type ShareTarget } from '#web/features/sharing/signs/open-sheet.ts';
import type { Links } from '#web/features/sharing/links/share-queries.ts';
import { linkNumbers } from '#web/features/sharing/list/link-names.ts';
import { LinkItem } from '#web/features/sharing/list/link-item.tsx';
import styles from './sheet.module.css';

export interface LinkListProps {
  links: Links;
  target: ShareTarget;
  /** Shows the settings of a new link. */
  onNew: () => void;
  /** Shows one link to change. */
  onOpen: (shareId: string) => void;
}

/** Everything that opens a recording to others, and a button for a new link. */
export function LinkList({ links: { items, policy }, target, onNew, onOpen }: LinkListProps) {
  const { t } = useLingui();
  const shown = items.filter(({ state }) => state !== 'revoked');
  const isOff = policy.links === 'off';
  const numbers = linkNumbers(items);
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
              number={numbers.get(share.id) ?? items.length}
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
            onPress={onNew}
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
