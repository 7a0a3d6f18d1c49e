import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import { isUnreached } from '#web/api/api-error.ts';
import { useUnanswered } from '#web/api/queries/unanswered.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';

export interface QueryStateProps {
  /** The key of the query. */
  of: QueryKey;
  answer: { data: unknown; error: Error | null; refetch: () => unknown };
  /**
   * Shown for the first two seconds; afterwards the notice above the page says more. Absent if the wait needs no
   * text.
   */
  label?: string;
  /** Names what could not be loaded, if the error message doesn't. */
  errorTitle?: ReactNode;
}

/** The placeholder for a query's data: a loading text, the server's error, or nothing. */
export function QueryState({ of, answer: { data, error, refetch }, label, errorTitle }: QueryStateProps) {
  const messageOf = useErrorMessage();
  const isUnanswered = useUnanswered(of);
  if (error && !isUnreached(error)) {
    const action = (
      <Button onPress={() => void refetch()}>
        <Trans>Try again</Trans>
      </Button>
    );
    return (
      <Notice tone="warn" role="alert" title={errorTitle} action={action}>
        {messageOf(error)}
      </Notice>
    );
  }
  if (data !== undefined || isUnanswered || label === undefined) return null;
  return <Spinner label={label} />;
}
