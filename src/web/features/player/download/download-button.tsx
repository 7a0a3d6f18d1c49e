import { lazy, Suspense } from 'react';
import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import type { DownloadProps } from './download-props.ts';

const loadDialog = () => import('./download-dialog.tsx');
const DownloadDialogContent = lazy(async () => ({ default: (await loadDialog()).DownloadDialogContent }));

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

/**
 * The dialog that downloads a recording: as it is, in another format, or a part of it. Its code is loaded
 * when it is first needed.
 */
export function DownloadDialog(props: DownloadProps & { onClose: () => void }) {
  return (
    <Suspense>
      <DownloadDialogContent {...props} />
    </Suspense>
  );
}
