import type { ReactNode } from 'react';
import styles from './settings.module.css';

export interface SectionProps {
  title: ReactNode;
  /** One or two sentences about its purpose. */
  hint?: ReactNode;
  children: ReactNode;
}

/** A section of a settings page, with a title, a hint and controls. */
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
  /** Takes the whole width under the rest. */
  below?: ReactNode;
}

/** An item of a list: a passkey, a device, a linked account. */
export function SettingsItem({ icon, title, children, actions, below }: SettingsItemProps) {
  return (
    <li className={styles.row}>
      {icon && (
        <span aria-hidden className={styles.rowIcon}>
          {icon}
        </span>
      )}
      <div className={styles.rowText}>
        <span className={styles.rowTitle}>{title}</span>
        {children && <span className={styles.rowMeta}>{children}</span>}
      </div>
      {actions && <div className={styles.rowActions}>{actions}</div>}
      {below}
    </li>
  );
}

/** A list of items, separated by lines. */
export function SettingsList({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}
