import { useLingui } from '@lingui/react/macro';
import { AudioLines, Mic, Settings, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { Link } from '#web/ui/controls/link.tsx';
import { paths } from '#web/app/paths.ts';
import styles from './layout.module.css';

const isWithin = (location: string, path: string) =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);

/** The four main pages. An open recording and the links to recordings belong to the library. */
export function Navigation() {
  const { t } = useLingui();
  const [location] = useLocation();
  const places = [
    { path: paths.record, label: t`Record`, Icon: Mic },
    { path: paths.library, label: t`Library`, Icon: AudioLines },
    { path: paths.trash, label: t`Trash`, Icon: Trash2 },
    { path: paths.settings, label: t`Settings`, Icon: Settings },
  ];
  const isOfLibrary = isWithin(location, paths.recordings) || isWithin(location, paths.shared);
  const shown = isOfLibrary ? paths.library : location;
  return (
    <nav aria-label={t`Main`} className={styles.nav}>
      {places.map(({ path, label, Icon }) => (
        <Link
          key={path}
          unstyled
          href={path}
          className={styles.place}
          {...(isWithin(shown, path) ? { 'aria-current': 'page' as const } : {})}
        >
          <Icon aria-hidden />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
}
