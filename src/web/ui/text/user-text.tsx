import styles from './text.module.css';

/** User text, isolated in its own direction so that it reorders nothing around it. Browsers do not translate it. */
export function UserText({ children }: { children: string }) {
  return (
    <bdi dir="auto" translate="no" className={styles.userText}>
      {children}
    </bdi>
  );
}
