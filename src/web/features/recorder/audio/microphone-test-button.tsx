import { lazy, Suspense, useState } from 'react';
import { Ear } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { loadLaterParts } from '#web/features/recorder/later.tsx';

const MicrophoneTestDialog = lazy(async () => ({ default: (await loadLaterParts()).MicrophoneTestDialog }));

/** Beside the choice of the microphone, before a take: listen to how it sounds first. */
export function MicrophoneTestButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="plain"
        icon={<Ear />}
        onPress={() => {
          setOpen(true);
        }}
      >
        <Trans>Test</Trans>
      </Button>
      {isOpen && (
        <Suspense>
          <MicrophoneTestDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
