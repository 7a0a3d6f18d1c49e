import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** What stands in the place of a page that failed. */
export function PageTrouble({ onTryAgain }: { onTryAgain: () => void }) {
  const { t } = useLingui();
  return (
    <Notice
      tone="danger"
      role="alert"
      title={t`This page could not be shown`}
      action={<><Button onPress={onTryAgain}>{t`Try again`}</Button><LinkButton variant="plain" href="/">{t`To the recorder`}</LinkButton></>}
    >
      <Trans>Your recordings are safe, and a recording that is running goes on. If trying again does not help, reload the page once nothing is being recorded.</Trans>
    </Notice>
  );
}
