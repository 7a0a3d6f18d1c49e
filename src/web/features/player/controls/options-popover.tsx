import type { RefObject } from 'react';
import { useLingui } from '@lingui/react/macro';
import { DialogPopover } from '#web/ui/overlays/dialog-popover.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { noticedGapMs } from '#playback/gaps.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { shortLengthFor } from '#web/i18n/short-length.ts';
import { Switch } from '#web/ui/controls/switch.tsx';
import { silenceSkipping } from '#web/features/player/playback/silence-skipping.ts';
import { SleepSelect } from './sleep-select.tsx';
import { ChannelSelect } from './channel-select.tsx';
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
      <ChannelSelect />
      <SilenceSwitch />
      <GapChoice />
      <SleepSelect />
    </DialogPopover>
  );
}

/** Whether playback skips gaps. Rendered only if the recording has a gap of at least `noticedGapMs`. */
function GapChoice() {
  const { t } = useLingui();
  const { track, skipsGaps } = useStore(player);
  if (!track?.gaps.some(({ durationMs }) => durationMs >= noticedGapMs)) return null;
  const options = [
    { value: 'skip', label: t`Skip gaps` },
    { value: 'silence', label: t`Play gaps as silence` },
  ] as const;
  return (
    <Select
      label={t`When playback reaches a gap`}
      value={skipsGaps ? 'skip' : 'silence'}
      options={options}
      onChange={(value) => player.setSkipsGaps(value === 'skip')}
    />
  );
}

/** Whether playback skips silence, and how much time that saves in this recording. */
function SilenceSwitch() {
  const { t, i18n } = useLingui();
  const { isOn, savedMs, hasFailed } = useStore(silenceSkipping);
  const lengthOf = shortLengthFor(regionalLocale(i18n.locale));
  const length = savedMs === null ? '' : lengthOf(savedMs);
  const description = hasFailed
    ? t`Can’t skip silence: the waveform didn’t load.`
    : savedMs === null
      ? t`Skips pauses longer than half a second.`
      : t`Saves ${length} in this recording.`;
  return (
    <Switch
      isSelected={isOn}
      onChange={(on) => silenceSkipping.set(on)}
      description={description}
    >{t`Skip silence`}</Switch>
  );
}
