import styles from './text.module.css';

/**
 * Words a person typed: isolated, in their own direction, so that they reorder nothing around them; browsers
 * translate the page, not them.
 */
export function UserText({ children }: { children: string }) {
  return (
    <bdi dir="auto" translate="no" className={styles.userText}>
      {children}
    </bdi>
  );
}
