import { useLayoutEffect, useState, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { linkToken } from '#contract/links.ts';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { useUnanswered } from '#web/api/queries/unanswered.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import styles from '#web/features/accounts/accounts.module.css';

export interface LinkCardProps<Found> {
  title: string;
  /** Requests the details of the link's token from the server. */
  open: (token: string, signal: AbortSignal) => Promise<Found>;
  children: (token: string, found: Found) => ReactNode;
}

/** The server responds with this code to every link that is unknown or no longer valid. */
const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.code === 'code-expired';
const unknown = new ApiError({ code: 'code-expired', status: 410, problem: null });

/** The token is in the fragment, so the browser never sends it to the server with the page request. */
const tokenInAddress = (): string => location.hash.slice(1);

/** The page for links from e-mails or from an administrator. */
export function LinkCard<Found>({ title, open, children }: LinkCardProps<Found>) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const [token] = useState(tokenInAddress);
  const [key] = useState(() => ['link', location.pathname]);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    staleTime: Infinity,
    gcTime: 0,
    meta: { isPublic: true },
    queryFn: async ({ signal }) => {
      if (!linkToken.test(token)) throw unknown;
      // Only submitting the form consumes the token, so this request may be repeated.
      return { found: await open(token, signal) };
    },
  });
  const isUnanswered = useUnanswered(key);
  useLayoutEffect(() => {
    // Removes the token from the address before the page is painted, so that it is in neither the history nor a
    // screenshot.
    history.replaceState(history.state, '', location.pathname);
  }, []);
  return (
    <div className={styles.card}>
      <PageHeader title={title} />
      {!data && !error && !isUnanswered && <Spinner label={t`Opening…`} />}
      {error &&
        !isUnreached(error) &&
        (isUnknown(error) ? (
          <Notice
            tone="warn"
            role="alert"
            title={<Trans>This link no longer works</Trans>}
            action={<LinkButton href="/sign-in">{t`Sign in`}</LinkButton>}
          >
            <Trans>The link may have expired, been used already, or been cut off. Request a new one.</Trans>
          </Notice>
        ) : (
          <Notice
            tone="warn"
            role="alert"
            title={<Trans>Couldn’t open the link</Trans>}
            action={
              <Button
                onPress={() => {
                  void refetch();
                }}
              >{t`Try again`}</Button>
            }
          >
            {errorMessage(error)}
          </Notice>
        ))}
      {data && children(token, data.found)}
    </div>
  );
}
