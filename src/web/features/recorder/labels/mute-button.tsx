import { EarOff } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import { hasPassagesLeft, isMuted, listenerMuteOf, toggleListenerMute } from './listener-mute.ts';

/** Mutes the running take for the listeners of its links, or unmutes it. The recording continues. */
export function MuteButton({ take }: { take: Take }) {
  const isPressed = isMuted(listenerMuteOf(take.passages));
  return (
    <Button
      variant="plain"
      icon={<EarOff aria-hidden />}
      isDisabled={!isPressed && !hasPassagesLeft(take.passages)}
      onPress={() => toggleListenerMute(take)}
    >
      {isPressed ? <Trans>Unmute for listeners</Trans> : <Trans>Mute for listeners</Trans>}
    </Button>
  );
}
