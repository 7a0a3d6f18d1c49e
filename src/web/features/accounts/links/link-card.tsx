import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { linkToken } from '#contract/links.ts';
import { ApiError } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
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

/** The server answers every link that it doesn’t know, or no longer knows, with this code. */
const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.code === 'code-expired';
const unknown = new ApiError({ code: 'code-expired', status: 410, problem: null });

/** It was never sent to the server: it stands behind the #. */
const tokenInAddress = (): string => location.hash.slice(1);

/** The page a link from a mail, or from an admin, leads to. */
export function LinkCard<Found>({ title, open, children }: LinkCardProps<Found>) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const [token] = useState(tokenInAddress);
  const [state, setState] = useState<{ found: Found } | { error: unknown } | null>(null);
  const ask = () => {
    const asked = linkToken.test(token) ? open(token) : Promise.reject<Found>(unknown);
    asked.then((found) => setState({ found }), (error: unknown) => setState({ error }));
  };
  const askAgain = () => {
    setState(null);
    ask();
  };
  const begin = useEffectEvent(() => {
    // Neither the history nor a screenshot has the token.
    history.replaceState(history.state, '', location.pathname);
    ask();
  });
  useEffect(() => begin(), []);
  return (
    <div className={styles.card}>
      <PageHeader title={title} />
      {state === null && <Spinner label={t`Opening…`} />}
      {state && 'error' in state && (isUnknown(state.error)
        ? (
          <Notice tone="warn" role="alert" title={<Trans>This link no longer works</Trans>} action={<LinkButton href="/sign-in">{t`Sign in`}</LinkButton>}>
            <Trans>The link may have expired, been used already, or been cut off. Request a new one.</Trans>
          </Notice>
        )
        : (
          <Notice tone="warn" role="alert" title={<Trans>Couldn’t open the link</Trans>} action={<Button onPress={askAgain}>{t`Try again`}</Button>}>
            {errorMessage(state.error)}
          </Notice>
        ))}
      {state && 'found' in state && children(token, state.found)}
    </div>
  );
}
