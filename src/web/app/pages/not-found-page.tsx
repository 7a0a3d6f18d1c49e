import { Trans, useLingui } from '@lingui/react/macro';
import { SearchX } from 'lucide-react';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { paths } from '#web/app/paths.ts';

export function NotFoundPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHeader title={t`Page not found`} />
      <EmptyState
        icon={<SearchX />}
        action={
          <>
            <LinkButton variant="primary" href={paths.library}>{t`Go to library`}</LinkButton>
            <LinkButton href={paths.record}>{t`Go to recorder`}</LinkButton>
          </>
        }
      >
        <Trans>
          Check the address. If you were looking for a recording, it may have been permanently deleted.
          Recordings in the trash can still be restored.
        </Trans>
      </EmptyState>
    </>
  );
}
