import { useLingui } from '@lingui/react/macro';
import { second } from '#base/duration.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences, markerBackChoices } from '#web/features/recorder/audio-preferences.ts';

/** The setting for how long before the press markers are set. */
export function MarkerBackSelect() {
  const { t } = useLingui();
  const format = useFormat();
  const { markerBackSeconds } = useStore(audioPreferences);
  const options = markerBackChoices.map((choice) => ({
    value: String(choice),
    label:
      choice === 0
        ? t({
            message: 'Don’t move',
            comment: 'Where a marker is set while recording: at the moment the button is pressed',
          })
        : format.duration(choice * second),
  }));
  return (
    <Select
      label={t`Move markers back by`}
      look="field"
      value={String(markerBackSeconds)}
      options={options}
      onChange={(chosen) =>
        audioPreferences.change({
          markerBackSeconds: markerBackChoices.find((choice) => String(choice) === chosen) ?? 0,
        })
      }
    />
  );
}
