import { useLingui } from '@lingui/react/macro';
import { Gauge, Volume1, Volume2, VolumeX } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { boosts } from '#web/features/player/engine/boost.ts';
import { rates } from '#playback/playback-state.ts';
import { boost, player } from '#web/features/player/engine/shared-player.ts';
import styles from './options.module.css';

export function SpeedSelect() {
  const { t } = useLingui();
  const format = useFormat();
  const { rate } = useStore(player);
  const options = rates.map((value) => ({ value: String(value), label: `${format.number(value)}×` }));
  return (
    <Select
      label={t`Speed`}
      labelHidden
      look="chip"
      icon={<Gauge />}
      value={String(rate)}
      options={options}
      onChange={(value) => player.setRate(Number(value))}
    />
  );
}

export function Volume() {
  const { t } = useLingui();
  const { volume, muted } = useStore(player);
  const isSilent = muted || volume === 0;
  const Icon = isSilent ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <div dir="ltr" className={styles.volume}>
      <IconButton
        label={muted ? t`Unmute` : t`Mute`}
        shortcut={useKeyLabel('player.mute')}
        icon={<Icon />}
        onPress={() => player.toggleMuted()}
      />
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={isSilent ? 0 : volume}
        style={{ '--share': isSilent ? 0 : volume }}
        aria-label={t`Volume`}
        onChange={(event) => player.setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** Amplifies recordings that were made too quietly. */
export function BoostSelect() {
  const { t, i18n } = useLingui();
  const factor = useStore(boost);
  const percent = new Intl.NumberFormat(i18n.locale, { style: 'percent' });
  const options = boosts.map((value) => ({
    value: String(value),
    label: value === 1 ? t`Original volume` : percent.format(value),
  }));
  return (
    <Select
      label={t`Volume boost`}
      value={String(factor)}
      options={options}
      onChange={(value) => boost.set(Number(value))}
    />
  );
}
