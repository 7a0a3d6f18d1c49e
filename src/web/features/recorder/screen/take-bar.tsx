import { Flag, Pause, Play, Share2 } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { SafetySign } from '#web/features/recorder/notices/safety-pill.tsx';
import { useStoppedToast } from '#web/features/recorder/notices/use-stopped-toast.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { recorder, useTake, useTakeClock } from '#web/features/recorder/recorder.ts';
import { useTakeAudience } from '#web/features/recorder/use-take-audience.ts';
import { takeSafetyOf } from '#web/features/recorder/take/take-safety.ts';
import { isMuted, listenerMuteOf } from '#web/features/recorder/labels/listener-mute.ts';
import { OnAirMenu } from './on-air-menu.tsx';
import { TakeWave } from './take-displays.tsx';
import { ForeignTakeTitle } from './foreign-take.tsx';
import { takeSharing } from './take-sharing.ts';
import { useBlockReason } from './use-block-reason.ts';
import {
  isOpen,
  isRunning,
  type ForeignTake,
  type RunningTakeState,
  type Take,
} from '#web/features/recorder/take/take.ts';
import styles from './take-bar.module.css';

function BarClock() {
  return (
    <strong role="timer" aria-live="off" className={styles.clock}>
      <Timecode ms={useTakeClock()} />
    </strong>
  );
}

/** What is unusual about the take. */
function BarSigns({ state }: { state: RunningTakeState }) {
  return (
    <>
      {state.status === 'paused' && (
        <span className={styles.paused}>
          <Trans>Paused</Trans>
        </span>
      )}
      {state.status === 'interrupted' && (
        <span className={styles.trouble}>
          <Trans>No microphone</Trans>
        </span>
      )}
    </>
  );
}

/** Where the bytes of the take are. */
function BarSafety({ state }: { state: RunningTakeState }) {
  const safety = takeSafetyOf(state, useBlockReason(state.take));
  return safety && <SafetySign safety={safety} isMicrophoneOpen={state.status === 'recording'} />;
}

/** Of a take of another account, the bar shows whose it is, how long it is, and Stop. */
function ForeignBar({ state, onStop }: { state: ForeignTake; onStop: () => void }) {
  const { t } = useLingui();
  return (
    <section className={styles.bar} aria-label={t`Recording`}>
      <i aria-hidden className={classes(styles.light, styles.foreignLight)} data-live />
      <span className={styles.foreign}>
        <ForeignTakeTitle ownerId={state.ownerId} />
      </span>
      <BarClock />
      <Button
        variant="danger"
        data-ends
        className={styles.stop}
        onPress={onStop}
        isPending={state.isStopping}
      >
        <Trans>Stop</Trans>
      </Button>
    </section>
  );
}

function BarPause({ isPaused }: { isPaused: boolean }) {
  const { t } = useLingui();
  const label = isPaused ? t`Resume` : t`Pause`;
  return (
    <Button
      variant="plain"
      icon={isPaused ? <Play /> : <Pause />}
      aria-label={label}
      data-tooltip={label}
      onPress={isPaused ? recorder.resume : recorder.pause}
      className={styles.worded}
    >
      {label}
    </Button>
  );
}

/** Who can hear the take or, if nobody can, the button that shares it. */
function BarAudience({ take }: { take: Take }) {
  const { t } = useLingui();
  const share = useStore(takeSharing);
  const audience = useTakeAudience(take);
  if (audience.isShared || isMuted(listenerMuteOf(take.passages)))
    return <OnAirMenu take={take} audience={audience} />;
  return (
    share && (
      <Button
        variant="plain"
        icon={<Share2 />}
        aria-label={t`Share live`}
        data-tooltip={t`Share live`}
        onPress={share}
        className={classes(styles.worded, styles.share)}
      >
        <Trans>Share live</Trans>
      </Button>
    )
  );
}

/**
 * Shown during a take on every screen except the recorder: clock, where it is saved, Pause, Marker, who can hear it or
 * Share, and Stop. A click on it opens the recorder.
 */
export function TakeBar() {
  const { t } = useLingui();
  const state = useTake();
  // Subscribing starts the recovery of takes left by a dead page, whichever screen is opened first.
  useStore(deviceTakes);
  const handleMark = () => {
    recorder.addMarker();
  };
  const { noteStop } = useStoppedToast(state);
  const handleStop = () => {
    noteStop();
    recorder.stop();
  };

  if (state.status === 'foreign') return <ForeignBar state={state} onStop={handleStop} />;
  if (!isRunning(state)) return null;
  const { take } = state;
  const isLive = state.status === 'recording';
  return (
    <section className={styles.bar} aria-label={t`Recording`}>
      <Link unstyled href="/" className={styles.back} aria-label={t`Back to recorder`}>
        <i aria-hidden className={styles.light} data-live={isLive || undefined} />
        <BarSigns state={state} />
      </Link>
      <BarClock />
      <BarSafety state={state} />
      <Link unstyled href="/" className={styles.wave} tabIndex={-1} aria-hidden>
        <TakeWave isLive={isLive} isMeasured={take.hasLevel} passages={take.passages} size="bar" />
      </Link>
      {isOpen(state) && <BarPause isPaused={state.status === 'paused'} />}
      {isOpen(state) && (
        <Button
          variant="plain"
          icon={<Flag />}
          aria-label={t`Add marker`}
          onPress={handleMark}
          className={styles.mark}
        >
          <Trans>Marker</Trans>
        </Button>
      )}
      {isOpen(state) && <BarAudience take={take} />}
      <Button
        variant="danger"
        data-ends
        className={styles.stop}
        onPress={handleStop}
        isPending={state.status === 'stopping'}
      >
        <Trans>Stop</Trans>
      </Button>
    </section>
  );
}
