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
  /** The key of the question. */
  of: QueryKey;
  answer: { data: unknown; error: Error | null; refetch: () => unknown };
  /**
   * Stands there for the first two seconds; afterwards the notice above the page says more. Nothing where the
   * wait needs no words.
   */
  label?: string;
  /** What could not be loaded, where the error's words don't say so. */
  errorTitle?: ReactNode;
}

/** Stands where an answer of the server will: a wait in words, the server's refusal, or nothing. */
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
