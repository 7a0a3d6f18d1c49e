import { useEffect, useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { maxSilentWaitMs } from '#web/api/connection/cut-off.ts';
import { retryUnanswered } from '#web/api/queries/unanswered.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** Retries every unanswered query. It is busy for as long as a response may take before the screen says so. */
export function RetryButton() {
  const [isTrying, setTrying] = useState(false);
  useEffect(() => {
    if (!isTrying) return undefined;
    const timer = setTimeout(() => {
      setTrying(false);
    }, maxSilentWaitMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isTrying]);
  const handlePress = () => {
    setTrying(true);
    retryUnanswered();
  };
  return (
    <Button isPending={isTrying} onPress={handlePress}>
      <Trans>Try again</Trans>
    </Button>
  );
}
