import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import styles from '../accounts.module.css';

export interface LinkCardProps<Found> {
  title: string;
  /** Asks the server about the link's token. */
  open: (token: string) => Promise<Found>;
  children: (token: string, found: Found) => ReactNode;
}

/** It was never sent to the server: it stands behind the #. */
const tokenInAddress = (): string => location.hash.slice(1);

/** The page a link from a mail, or from an admin, leads to. */
export function LinkCard<Found>({ title, open, children }: LinkCardProps<Found>) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const [token] = useState(tokenInAddress);
  const [state, setState] = useState<{ found: Found } | { error: unknown } | null>(null);
  const ask = useEffectEvent(() => {
    // Neither the history nor a screenshot keeps it.
    history.replaceState(history.state, '', location.pathname);
    open(token).then((found) => setState({ found }), (error: unknown) => setState({ error }));
  });
  useEffect(() => ask(), []);
  return (
    <div className={styles.card}>
      <PageHeader title={title} />
      {state === null && <Spinner label={t`Opening…`} />}
      {state && 'error' in state && (
        <Notice tone="warn" role="alert" title={<Trans>This link no longer works</Trans>} action={<LinkButton href="/sign-in">{t`Sign in`}</LinkButton>}>
          {errorMessage(state.error)}
        </Notice>
      )}
      {state && 'found' in state && children(token, state.found)}
    </div>
  );
}
