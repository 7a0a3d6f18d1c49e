import { slotAttribute, type Slot } from './slot.ts';
import styles from './text.module.css';

/** User text, isolated in its own direction so that it reorders nothing around it. Browsers do not translate it. */
export function UserText({ children, slot }: { children: string; slot?: Slot }) {
  return (
    <bdi dir="auto" translate="no" className={styles.userText} {...slotAttribute(slot)}>
      {children}
    </bdi>
  );
}
