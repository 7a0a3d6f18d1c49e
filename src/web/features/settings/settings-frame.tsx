import type { ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Link } from '#web/ui/controls/link.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import styles from './settings-frame.module.css';

export interface SettingsSection { id: string; href: string; label: string; icon: ReactNode; content: ReactNode }

/** Two panes on wide screens: the list and what was chosen; on phones the list becomes a row above it. */
export function SettingsFrame({ sections, shown }: { sections: readonly SettingsSection[]; shown: SettingsSection }) {
  const { t } = useLingui();
  return (
    <>
      <PageHeader title={t`Settings`} />
      <div className={styles.panes}>
        <nav aria-label={t`Settings`} className={styles.list}>
          {sections.map(({ id, href, label, icon }) => (
            <Link key={id} unstyled href={href} className={styles.entry} {...(id === shown.id ? { 'aria-current': 'page' as const } : {})}>
              {icon}<span>{label}</span>
            </Link>
          ))}
        </nav>
        <div className={styles.pane}>{shown.content}</div>
      </div>
    </>
  );
}
