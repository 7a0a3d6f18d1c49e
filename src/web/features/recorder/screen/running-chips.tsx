import { AudioWaveform, Mic } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { classes } from '#web/ui/classes.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { UserText } from '#web/ui/text/user-text.tsx';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { MicrophoneSelect } from '#web/features/recorder/settings/audio-choice.tsx';
import { AddNoteButton } from '#web/features/recorder/labels/add-note-button.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import { TakeMenu } from './take-menu.tsx';
import styles from './screen.module.css';

/**
 * The microphone and quality in use. The microphone is omitted if its select box already shows it, and shown if
 * another one than the chosen one is in use.
 */
function UsedAudio({ take, isChoice }: { take: Take; isChoice: boolean }) {
  const { deviceId, deviceLabel: chosen } = useStore(audioPreferences);
  const isNamed = isChoice && (deviceId === null || chosen === take.deviceLabel);
  return (
    <>
      {take.deviceLabel !== null && !isNamed && (
        <span className={styles.chip}>
          <Mic aria-hidden />
          <UserText>{take.deviceLabel}</UserText>
        </span>
      )}
      <span className={classes(styles.chip, styles.quality)}>
        <AudioWaveform aria-hidden />
        {take.quality === 'high' ? <Trans>High quality</Trans> : <Trans>Speech quality</Trans>}
      </span>
    </>
  );
}

/** Below the buttons during a take: Add note, microphone, quality, and the menu of rare actions. */
export function RunningChips({ take, isOpen }: { take: Take; isOpen: boolean }) {
  return (
    <>
      {isOpen && <AddNoteButton />}
      {isOpen && <MicrophoneSelect look="chip" used={take.deviceLabel} />}
      <UsedAudio take={take} isChoice={isOpen} />
      {isOpen && <TakeMenu take={take} />}
    </>
  );
}
