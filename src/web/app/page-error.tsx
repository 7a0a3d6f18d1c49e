import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** What stands in the place of a page that failed. */
export function PageError({ onTryAgain }: { onTryAgain: () => void }) {
  const { t } = useLingui();
  return (
    <Notice
      tone="danger"
      role="alert"
      title={t`Something went wrong on this page`}
      action={
        <>
          <Button onPress={onTryAgain}>{t`Try again`}</Button>
          <LinkButton variant="plain" href="/">{t`Go to recorder`}</LinkButton>
        </>
      }
    >
      <Trans>
        Your recordings are safe, and any current recording continues. If trying again doesn’t help, reload
        the page once you’ve stopped recording.
      </Trans>
    </Notice>
  );
}
