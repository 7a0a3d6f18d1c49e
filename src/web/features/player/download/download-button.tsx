import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import type { DownloadProps } from './download-props.ts';

const dialog = lazyChunk(() => import('./download-dialog.tsx'));
const DownloadDialogContent = dialog.component((chunk) => chunk.DownloadDialogContent);

export function DownloadButton({ onPress }: { onPress: () => void }) {
  return (
    <Button
      icon={<Download aria-hidden />}
      aria-haspopup="dialog"
      onApproach={dialog.preload}
      onPress={onPress}
    >
      <Trans>Download</Trans>
    </Button>
  );
}

/** Downloads a recording: the original, another format, or a part of it. The code is loaded on first use. */
export function DownloadDialog(props: DownloadProps & { onClose: () => void }) {
  return (
    <OpenedPart onClose={props.onClose}>
      <DownloadDialogContent {...props} />
    </OpenedPart>
  );
}
