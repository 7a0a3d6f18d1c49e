import { Trans, useLingui } from '@lingui/react/macro';
import { EarOff } from 'lucide-react';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { paths } from '../paths.ts';

export function NotFoundPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHeader title={t`There is no page at this address`} />
      <EmptyState
        icon={<EarOff />}
        title={t`Nothing to hear here`}
        action={<><LinkButton variant="primary" href={paths.library}>{t`To the library`}</LinkButton><LinkButton href={paths.record}>{t`To the recorder`}</LinkButton></>}
      >
        <Trans>The address may be mistyped, or the recording was deleted for good. A recording in the trash can still be restored.</Trans>
      </EmptyState>
    </>
  );
}
