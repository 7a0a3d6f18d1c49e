import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Keyboard } from 'lucide-react';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { AccountCorner } from './account-corner.tsx';
import { AppearanceMenu } from './appearance-menu.tsx';
import { LanguageSwitcher } from './language-switcher.tsx';
import { LazyConnectionStatus, LazyPageNotices } from './lazy-notices.tsx';
import { Navigation } from './navigation.tsx';
import { shortcutSheet } from '#web/app/shortcuts/shortcut-sheet-state.ts';
import styles from './layout.module.css';

/** The frame of every screen: a sidebar on wide screens, a bar above and one below on phones. */
export function Layout({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className={styles.app}>
      <a href="#main" className={styles.skip}>
        <Trans>Skip to content</Trans>
      </a>
      <div className={styles.side}>
        <header className={styles.brandBar}>
          <Link unstyled href="/" className={styles.brand} aria-label={t`Earshot: go to the recorder`}>
            <i aria-hidden className={styles.light} />
            <span aria-hidden>Earshot</span>
          </Link>
        </header>
        <Navigation />
        <div className={styles.corner}>
          <LazyConnectionStatus />
          <LanguageSwitcher />
          <AppearanceMenu />
          <IconButton
            label={t`Keyboard shortcuts`}
            shortcut={useKeyLabel('everywhere.help')}
            icon={<Keyboard aria-hidden />}
            onPress={shortcutSheet.open}
            className={styles.keys}
          />
          <AccountCorner />
        </div>
      </div>
      <main id="main" tabIndex={-1} className={styles.main}>
        <LazyPageNotices />
        {children}
      </main>
    </div>
  );
}
