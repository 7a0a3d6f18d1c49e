import { useEffect, useRef } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { announce } from '#web/ui/feedback/announce.ts';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { useMicrophonePermission } from './use-microphone-permission.ts';
import { LevelBar, meterShare } from '#web/features/recorder/live/level-meter.tsx';
import { useAnimation } from '#web/features/recorder/live/use-animation.ts';
import type { LevelCheck } from './open-level-check.ts';
import { levelCheckSwitch } from './level-check-switch.ts';
import { useLevelCheck } from './use-level-check.ts';
import { useMicrophoneSign } from './use-microphone-sign.ts';
import { takeOfOtherTab } from '#web/features/recorder/other-tabs/take-of-other-tab.ts';
import styles from './level-check.module.css';

/** The switch that opens the microphone and shows its level before a recording. */
export function LevelSwitch() {
  const isOn = useStore(levelCheckSwitch);
  const permission = useMicrophonePermission();
  if (permission === null || permission === 'denied') return null;
  return (
    <Switch className={styles.switch} isSelected={isOn} onChange={levelCheckSwitch.set}>
      <Trans>Check level</Trans>
    </Switch>
  );
}

const noLevel = () => ({ peak: 0, rms: 0, clippedAtMs: null });

/** The level before a recording, at the same position as during one. */
export function IdleLevel() {
  const { check, isLost } = useLevelCheck();
  if (check) return <ShownLevel check={check} />;
  return isLost ? (
    <div className={styles.lost}>
      <output>
        <Trans>No sound from the microphone</Trans>
      </output>
    </div>
  ) : (
    <LevelBar level={noLevel} isOn={false} />
  );
}

/** How often the value for assistive technology is updated. */
const valueEveryMs = 500;

function ShownLevel({ check }: { check: LevelCheck }) {
  const { t, i18n } = useLingui();
  useMicrophoneSign(true);
  const meter = useRef<HTMLMeterElement>(null);
  const sinceMs = useRef(0);
  const verdict = useStore(check.verdict);
  const isOtherTabRecording = useStore(takeOfOtherTab) !== null;
  useAnimation(true, (elapsedMs) => {
    sinceMs.current += elapsedMs;
    if (sinceMs.current < valueEveryMs) return;
    sinceMs.current = 0;
    const share = meterShare(check.level().peak);
    if (!meter.current) return;
    meter.current.value = share;
    meter.current.textContent = i18n.number(share, { style: 'percent', maximumFractionDigits: 0 });
  });
  const words = { silent: t`No sound detected`, loud: t`Too loud: move a little farther away`, fine: '' }[
    verdict
  ];
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  return (
    <div className={styles.shown}>
      <meter ref={meter} aria-label={t`Level`} min={0} max={1} className={styles.value} />
      <LevelBar
        level={check.level}
        isOn
        note={
          verdict === 'silent' ? (
            <Trans>No sound detected</Trans>
          ) : (
            !isOtherTabRecording && (
              <span className={styles.quiet}>
                <Trans>Checking the level. Nothing is recorded.</Trans>
              </span>
            )
          )
        }
      />
    </div>
  );
}
