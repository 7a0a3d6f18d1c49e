import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { RunningTakeOf } from '#contract/credentials-api.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import styles from './settings.module.css';

interface RecordingDevice {
  sessionId: string;
  label: string;
}

/** The devices that are recording now, without duplicates. */
const devicesOf = (takes: readonly RunningTakeOf[]): RecordingDevice[] => [
  ...new Map(
    takes.map(({ sessionId, deviceLabel }) => [sessionId, { sessionId, label: deviceLabel }]),
  ).values(),
];

export interface FinishedTakes {
  devices: readonly RecordingDevice[];
  /** The sessions whose takes may be finished: all those not unticked. */
  finishTakesOf: string[];
  isTicked: (sessionId: string) => boolean;
  tick: (sessionId: string, isTicked: boolean) => void;
}

/**
 * Selects which takes in progress may be finished although their devices are signed out. All are selected by
 * default, because a recording can't be repeated.
 */
export function useFinishTakes(takes: readonly RunningTakeOf[]): FinishedTakes {
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const devices = devicesOf(takes);
  return {
    devices,
    finishTakesOf: devices.map(({ sessionId }) => sessionId).filter((id) => !unticked.has(id)),
    isTicked: (sessionId) => !unticked.has(sessionId),
    tick: (sessionId, isTicked) =>
      setUnticked(
        (before) => new Set(isTicked ? [...before].filter((id) => id !== sessionId) : [...before, sessionId]),
      ),
  };
}

/** A ticked checkbox for each device that is recording now. Renders nothing if there are none. */
export function FinishTakes({ devices, isTicked, tick }: FinishedTakes) {
  const { t } = useLingui();
  if (devices.length === 0) return null;
  return (
    <div className={styles.takes}>
      {devices.map(({ sessionId, label }) => {
        const device = label === '' ? t`Unknown device` : label;
        return (
          <Checkbox
            key={sessionId}
            isSelected={isTicked(sessionId)}
            onChange={(isTicked) => tick(sessionId, isTicked)}
            label={
              <Trans>
                Let the recording in progress on <bdi translate="no">{device}</bdi> finish
              </Trans>
            }
          />
        );
      })}
      <p className={styles.hint}>
        <Trans>
          If this is off, the recording uploads only after the next sign-in there. Nothing recorded on that
          device is lost.
        </Trans>
      </p>
    </div>
  );
}
