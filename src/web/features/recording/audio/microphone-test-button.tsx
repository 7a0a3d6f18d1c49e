import { Suspense, useState } from 'react';
import { Ear } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { MicrophoneTest } from '../later.tsx';
import { MicrophoneSelect } from './audio-choice.tsx';

/** Beside the choice of the microphone, before a take: hear how it sounds first. */
export function MicrophoneTestButton() {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="plain" icon={<Ear />} onPress={() => { setOpen(true); }}><Trans>Test</Trans></Button>
      <Dialog isOpen={isOpen} title={t`Test microphone`} onOpenChange={setOpen}>
        <MicrophoneSelect look="field" />
        <Suspense><MicrophoneTest startsAtOnce /></Suspense>
      </Dialog>
    </>
  );
}
