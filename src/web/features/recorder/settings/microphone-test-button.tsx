import { useState } from 'react';
import { Ear } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { MicrophoneTestDialog } from '#web/features/recorder/lazy-parts.tsx';

/** Opens the microphone test. Shown next to the microphone select box before a take. */
export function MicrophoneTestButton() {
  const [isOpen, setOpen] = useState(false);
  const handleClose = () => setOpen(false);
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
        <OpenedPart onClose={handleClose}>
          <MicrophoneTestDialog onClose={handleClose} />
        </OpenedPart>
      )}
    </>
  );
}
