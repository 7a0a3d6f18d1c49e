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

/** Downloads a recording: the original, another format, or a part of it. The code is loaded on first use. */
export function DownloadDialog(props: DownloadProps & { onClose: () => void }) {
  return (
    <Suspense>
      <DownloadDialogContent {...props} />
    </Suspense>
  );
}
