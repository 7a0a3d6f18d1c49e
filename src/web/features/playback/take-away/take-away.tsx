import { lazy, Suspense, useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { Download } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import type { TakeAwayProps } from './take-away-props.ts';

const loadDialog = () => import('./take-away-dialog.tsx');
const TakeAwayDialog = lazy(async () => ({ default: (await loadDialog()).TakeAwayDialog }));

/** Takes a recording out of the app: as it is, in another format, or a part of it. */
export function TakeAway(props: TakeAwayProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Download aria-hidden />} aria-haspopup="dialog" onApproach={() => void loadDialog()} onPress={() => setOpen(true)}><Trans>Download</Trans></Button>
      {isOpen && <Suspense><TakeAwayDialog {...props} onClose={() => setOpen(false)} /></Suspense>}
    </>
  );
}
