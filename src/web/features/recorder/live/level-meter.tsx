import { useRef, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { classes } from '#web/ui/classes.ts';
import type { MeterLevel } from './live-peaks.ts';
import { useAnimation } from './use-animation.ts';
import styles from './live.module.css';

const floorDb = -54;
/** Up to −12 dB, up to −3 dB, and above. Each zone is taller than the one before and has another colour. */
const zones = ['good', 'loud', 'tooLoud'] as const;
const hintMs = 2500;

/** Loudness as a fraction of the meter, 0–1, on a decibel scale. */
export function meterShare(amplitude: number): number {
  if (amplitude <= 0) return 0;
  return Math.max(0, Math.min(1, 1 - (20 * Math.log10(amplitude)) / floorDb));
}

export interface LevelMeterProps {
  level: () => MeterLevel;
  isOn: boolean;
  /** Shown below the meter while the level is not too loud. */
  note?: ReactNode;
}

/** Stands in for the level of a take whose sound nothing measures. */
export function NoLevel() {
  return (
    <p className={styles.meter} data-on>
      <span className={styles.label}>
        <Trans>Level isn’t available</Trans>
      </span>
    </p>
  );
}

/** The current level, with a hint when it is too loud. */
export function LevelBar({ level, isOn, note }: LevelMeterProps) {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(0);

  useAnimation(isOn, (elapsedMs) => {
    const { rms, peak, clippedAtMs } = level();
    const target = meterShare(Math.max(rms * 1.4, peak * 0.7));
    // Rise immediately and fall slowly, as level meters do.
    shown.current =
      target > shown.current
        ? target
        : shown.current + (target - shown.current) * (1 - Math.exp(-elapsedMs / 180));
    ref.current?.style.setProperty('--level', shown.current.toFixed(3));
    ref.current?.toggleAttribute('data-clipped', clippedAtMs !== null && Date.now() - clippedAtMs < hintMs);
  });

  return (
    <div ref={ref} aria-hidden className={styles.meter} data-on={isOn || undefined}>
      <span className={styles.gauge}>
        <span className={styles.label}>
          <Trans>Level</Trans>
        </span>
        <span dir="ltr" className={styles.track}>
          {zones.map((zone) => (
            <span key={zone} className={classes(styles.zone, styles[zone])} />
          ))}
        </span>
      </span>
      <span className={styles.hints}>
        <span className={styles.hint}>
          <Trans>Too loud: move a little farther away</Trans>
        </span>
        {note && <span className={styles.note}>{note}</span>}
      </span>
    </div>
  );
}
