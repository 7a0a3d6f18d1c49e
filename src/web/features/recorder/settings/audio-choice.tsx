import { AudioWaveform, Mic } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { qualities, type Quality } from '#contract/limits.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { microphones, type MicrophoneChoice } from '#web/features/recorder/capture/microphone-list.ts';

export interface AudioChoiceProps {
  /** As chips below the recorder, or as fields on the settings page. */
  look: 'chip' | 'field';
  isDisabled?: boolean;
  /** The name of the microphone in use, shown in place of "Default microphone". */
  used?: string | null;
}

/** Adds the chosen microphone to the list while it is unplugged. */
function withChosen(
  found: readonly MicrophoneChoice[],
  deviceId: string | null,
  label: string | null,
): readonly MicrophoneChoice[] {
  if (deviceId === null || label === null || found.some((microphone) => microphone.deviceId === deviceId))
    return found;
  return [...found, { deviceId, label }];
}

export function MicrophoneSelect({ look, isDisabled = false, used = null }: AudioChoiceProps) {
  const { t } = useLingui();
  const { deviceId, deviceLabel } = useStore(audioPreferences);
  const choices = withChosen(useStore(microphones), deviceId, deviceLabel);
  const handleChange = (chosen: string) => {
    const microphone = choices.find((choice) => choice.deviceId === chosen);
    audioPreferences.change({
      deviceId: microphone?.deviceId ?? null,
      deviceLabel: microphone?.label ?? null,
    });
  };
  return (
    <Select
      label={t`Microphone`}
      labelHidden={look === 'chip'}
      look={look}
      icon={look === 'chip' ? <Mic /> : undefined}
      isDisabled={isDisabled}
      value={deviceId ?? ''}
      onChange={handleChange}
      options={[
        { value: '', label: deviceId === null && used !== null ? used : t`Default microphone` },
        ...choices.map((choice) => ({ value: choice.deviceId, label: choice.label })),
      ]}
    />
  );
}

export function QualitySelect({ look, isDisabled = false }: Omit<AudioChoiceProps, 'used'>) {
  const { t, i18n } = useLingui();
  const { quality } = useStore(audioPreferences);
  const rate = (of: Quality) => i18n.number(qualities[of].bitrateBps / 1000, { maximumFractionDigits: 0 });
  const [speechRate, highRate] = [rate('speech'), rate('high')];
  return (
    <Select
      label={t`Quality`}
      labelHidden={look === 'chip'}
      look={look}
      icon={look === 'chip' ? <AudioWaveform /> : undefined}
      isDisabled={isDisabled}
      value={quality}
      onChange={(chosen) => {
        audioPreferences.change({ quality: chosen, isHighExplained: false });
      }}
      options={[
        { value: 'speech', label: t`Speech, ${speechRate} kbit/s` },
        { value: 'high', label: t`High, stereo, ${highRate} kbit/s` },
      ]}
    />
  );
}
