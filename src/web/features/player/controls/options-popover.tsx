import type { RefObject } from 'react';
import { DialogPopover } from '#web/ui/overlays/dialog-popover.tsx';
import { GapChoice } from './gap-choice.tsx';
import { SilenceSwitch } from './silence-switch.tsx';
import { SleepSelect } from './sleep-select.tsx';
import { BoostSelect, Volume } from './loudness.tsx';
import styles from './options.module.css';

export interface OptionsPopoverProps {
  label: string;
  triggerRef: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function OptionsPopover({ label, triggerRef, onClose }: OptionsPopoverProps) {
  return (
    <DialogPopover
      label={label}
      triggerRef={triggerRef}
      placement="top start"
      onClose={onClose}
      className={styles.popover}
      dialogClassName={styles.options}
    >
      <div className={styles.narrowOnly}>
        <Volume />
      </div>
      <BoostSelect />
      <SilenceSwitch />
      <GapChoice />
      <SleepSelect />
    </DialogPopover>
  );
}
