import { useLingui } from '@lingui/react/macro';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { shortLengthFor } from '#web/i18n/short-length.ts';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { silenceSkipping } from '#web/features/player/playback/silence-skipping.ts';

/** Whether pauses are jumped over, and how much time that saves in this recording. */
export function SilenceSwitch() {
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
