import { Suspense, useState } from 'react';
import { Ear } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { MicrophoneTestDialog } from '#web/features/recorder/lazy-parts.tsx';

/** Opens the microphone test. Shown next to the microphone select box before a take. */
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
