import type { ReactNode } from 'react';
import styles from './dev.module.css';

/** A component with the name of its file. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2 dir="ltr">{name}</h2>
      {children}
    </section>
  );
}

/** One state of a component, with its name below. */
export function State({
  name,
  children,
  wide = false,
}: {
  name: string;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <figure className={wide ? styles.wideState : styles.state}>
      {children}
      <figcaption dir="ltr">{name}</figcaption>
    </figure>
  );
}

/** States side by side. */
export function States({ children }: { children: ReactNode }) {
  return <div className={styles.states}>{children}</div>;
}
