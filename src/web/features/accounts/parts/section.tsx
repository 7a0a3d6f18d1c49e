import type { ReactNode } from 'react';
import styles from './settings.module.css';

export interface SectionProps {
  title: ReactNode;
  /** One or two sentences on what it is for. */
  hint?: ReactNode;
  children: ReactNode;
}

/** A part of a settings page: what it is, what it is for, and what can be done. */
export function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  );
}

export interface SettingsItemProps {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

/** One of several: a passkey, a device, a linked account. */
export function SettingsItem({ icon, title, children, actions }: SettingsItemProps) {
  return (
    <li className={styles.row}>
      {icon && (
        <span aria-hidden className={styles.rowIcon}>
          {icon}
        </span>
      )}
      <div className={styles.rowWords}>
        <span className={styles.rowTitle}>{title}</span>
        {children && <span className={styles.rowMeta}>{children}</span>}
      </div>
      {actions && <div className={styles.rowActions}>{actions}</div>}
    </li>
  );
}

/** Rows under one another, with a line between. */
export function SettingsList({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}
