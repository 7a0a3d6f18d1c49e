import { lazy, Suspense } from 'react';
import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import type { TakeAwayProps } from './take-away-props.ts';

const loadDialog = () => import('./take-away-dialog.tsx');
const TakeAwayDialog = lazy(async () => ({ default: (await loadDialog()).TakeAwayDialog }));

export function DownloadButton({ onPress }: { onPress: () => void }) {
  return (
    <Button
      icon={<Download aria-hidden />}
      aria-haspopup="dialog"
      onApproach={() => void loadDialog()}
      onPress={onPress}
    >
      <Trans>Download</Trans>
    </Button>
  );
}

/** The dialog that downloads a recording: as it is, in another format, or a part of it. Its code is loaded when it is first needed. */
export function DownloadDialog(props: TakeAwayProps & { onClose: () => void }) {
  return (
    <Suspense>
      <TakeAwayDialog {...props} />
    </Suspense>
  );
}
