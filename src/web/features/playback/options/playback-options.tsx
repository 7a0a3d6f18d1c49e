import { useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { SlidersHorizontal } from 'lucide-react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { boost } from '../engine/shared-player.ts';
import { GapChoice } from '../gaps/gap-choice.tsx';
import { silenceSkipping } from '../silence/silence-skipping.ts';
import { SilenceSwitch } from '../silence/silence-switch.tsx';
import { sleepTimer } from '../sleep/shared-sleep-timer.ts';
import { SleepSelect } from '../sleep/sleep-select.tsx';
import { BoostSelect, Volume } from './loudness.tsx';
import styles from './options.module.css';

/** What is set once and then heard, in one place. The button shows that something of it is at work. */
export function PlaybackOptions() {
  const { t } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [factor, { isOn: skipsSilence }, { choice: sleep }] = [useStore(boost), useStore(silenceSkipping), useStore(sleepTimer)];
  const isAtWork = factor > 1 || skipsSilence || sleep !== 'off';
  const label = t`Playback options`;
  return (
    <>
      <IconButton ref={button} label={label} icon={<SlidersHorizontal />} aria-haspopup="dialog" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)} className={isAtWork ? styles.atWork : undefined} />
      <Popover isOpen={isOpen} onOpenChange={setOpen} triggerRef={button} placement="top start" offset={6} className={styles.popover ?? ''}>
        <Dialog aria-label={label} className={styles.options ?? ''}>
          <div className={styles.narrowOnly}><Volume /></div>
          <BoostSelect />
          <SilenceSwitch />
          <GapChoice />
          <SleepSelect />
        </Dialog>
      </Popover>
    </>
  );
}
