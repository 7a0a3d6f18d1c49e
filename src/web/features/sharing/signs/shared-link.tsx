import { useLingui } from '@lingui/react/macro';
import { Share2 } from 'lucide-react';
import { Link } from '#web/ui/controls/link.tsx';
import styles from './signs.module.css';

/** Leads to the links that the user gave. On phones it is an icon. */
export function SharedLink() {
  const { t } = useLingui();
  const label = t({ message: 'Shared', comment: 'The page with all links that the user gave to recordings' });
  return (
    <Link unstyled href="/shared" aria-label={label} data-tooltip={label} className={styles.toShared}>
      <Share2 aria-hidden />
      <span className={styles.word}>{label}</span>
    </Link>
  );
}
