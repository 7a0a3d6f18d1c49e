import { useCallback } from 'react';
import { Trans } from '@lingui/react/macro';
import styles from './copy-by-hand.module.css';

/** An address that the browser denied to copy, selected so that the user can copy it. */
export function CopyByHand({ url }: { url: string }) {
  const select = useCallback((input: HTMLInputElement | null) => {
    input?.focus();
    input?.select();
  }, []);
  return (
    <label className={styles.address}>
      <Trans>Your browser doesn’t let Earshot copy. Copy this link yourself:</Trans>
      <input ref={select} readOnly dir="ltr" value={url} />
    </label>
  );
}
