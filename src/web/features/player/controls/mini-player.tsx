import { useEffect } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play, X } from 'lucide-react';
import { second } from '#base/duration.ts';
import { userScope } from '#web/api/user-scope.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { QueueButton } from './queue-button.tsx';
import { SkipButton } from './skip-button.tsx';
import styles from './mini.module.css';

export interface MiniPlayerProps {
  /** The path of the current page. */
  pathname: string;
  /** Whether this page is recording; the microphone would pick up the playback. */
  isRecording: boolean;
}

/** Continues playback across pages. The bar is on every page except the page of the recording itself. */
export function MiniPlayer({ pathname, isRecording }: MiniPlayerProps) {
  const { t } = useLingui();
  const isWanted = useStore(miniState);
  const { track, status } = useStore(player);
  const isOnItsScreen = track !== null && pathname === `/recordings/${track.id}`;
  useEffect(() => {
    miniState.settle();
  }, [isOnItsScreen]);
  useEffect(() => {
    if (isRecording && !isOnItsScreen) player.pause();
  }, [isRecording, isOnItsScreen]);
  if (!track || !isWanted || isOnItsScreen) return null;
  const isRunning = status === 'playing' || status === 'waiting';
  return (
    <section aria-label={t`Player`} className={styles.bar}>
      <Link unstyled href={`/recordings/${track.id}`} className={styles.title}>
        <UserText>{track.title}</UserText>
      </Link>
      <div dir="ltr" className={styles.transport}>
        <SkipButton isBack className={styles.skip} />
        <IconButton
          label={isRunning ? t`Pause` : t`Play`}
          icon={isRunning ? <Pause /> : <Play />}
          isDisabled={isRecording}
          className={styles.play}
          onPress={() => player.toggle()}
        />
        <SkipButton isBack={false} className={styles.skip} />
      </div>
      {isRecording ? (
        <p className={styles.held}>
          <Trans>Playback is paused while you record, so it doesn’t end up in the recording.</Trans>
        </p>
      ) : (
        <Place />
      )}
      <QueueButton />
      <IconButton
        data-ends
        label={t`Close player`}
        icon={<X />}
        onPress={() => player.close()}
        className={styles.close}
      />
    </section>
  );
}

/** The position, as a slider. */
function Place() {
  const { t } = useLingui();
  const format = useFormat();
  const { positionMs, durationMs } = useStore(player);
  const wholeMs = Math.floor(positionMs / second) * second;
  const [position, length] = [
    format.duration(wholeMs),
    format.duration(Math.floor(durationMs / second) * second),
  ];
  const share = durationMs > 0 ? positionMs / durationMs : 0;
  return (
    <div dir="ltr" className={styles.place}>
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.round(durationMs))}
        step={second}
        value={wholeMs}
        style={{ '--share': share }}
        aria-label={t`Position`}
        aria-valuetext={t`${position} of ${length}`}
        onChange={(event) => player.seek(event.currentTarget.valueAsNumber)}
      />
      <Timecode ms={positionMs} className={styles.time} />
    </div>
  );
}

const isWanted = userScope.createStore(false);

const isRunning = (): boolean => ['playing', 'waiting'].includes(player.getSnapshot().status);

player.subscribe(() => {
  if (player.getSnapshot().track === null) isWanted.set(false);
  else if (isRunning()) isWanted.set(true);
});

/** Whether other pages show the mini player: from the first playback until the user closes it. */
const miniState = {
  subscribe: isWanted.subscribe,
  getSnapshot: isWanted.getSnapshot,
  /** Called when the page of the recording opens or closes. A paused recording gets no mini player. */
  settle: (): void => isWanted.set(isRunning()),
};
