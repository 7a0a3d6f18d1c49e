import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import type { Share } from '#contract/shares.ts';
import { useSession } from '#web/api/session.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { activeLinks } from '#web/recordings/on-air/active-links.ts';
import styles from './signs.module.css';

const requestCountOf = ({ items }: { items: readonly Share[] }): number =>
  items.reduce((count, { accessRequests }) => count + accessRequests.length, 0);

/** Leads to the links that the user gave, who therefore has an account, and shows how many requests for access wait there. On phones it is an icon. */
export function SharedLink() {
  const { t } = useLingui();
  const { number } = useFormat();
  const { status } = useSession();
  const { data: requestCount = 0 } = useQuery({
    ...activeLinks,
    select: requestCountOf,
    enabled: status === 'signed-in',
  });
  const shared = t({
    message: 'Shared',
    comment: 'The page with all links that the user gave to recordings',
  });
  const count = number(requestCount);
  if (status === 'signed-out') return null;
  const label = requestCount === 0 ? shared : t`Shared. Requests for access: ${count}`;
  return (
    <Link unstyled href="/shared" aria-label={label} data-tooltip={label} className={styles.toShared}>
      <Share2 aria-hidden />
      <span className={styles.word}>{shared}</span>
      {requestCount > 0 && <span className={styles.count}>{count}</span>}
    </Link>
  );
}
