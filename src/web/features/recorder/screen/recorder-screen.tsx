import { Suspense, useRef, useState, type ReactNode } from 'react';
import { Flag, Pause, Play } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { focusToName, type MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { useSession } from '#web/api/session.ts';
import { createStore } from '#base/store.ts';
import { userScope } from '#web/api/user-scope.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { recorder, useTake } from '#web/features/recorder/recorder.ts';
import {
  BelowStage,
  cueStart,
  RecoveredNotice,
  OtherOwnersNotice,
  RejectedTake,
  TakeLabels,
  TakeNotices,
  UnclaimedNotice,
} from '#web/features/recorder/lazy-parts.tsx';
import { secondTake, takeOfOtherTab } from '#web/features/recorder/other-tabs/take-of-other-tab.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { TakeFoot } from './take-foot.tsx';
import { TakeStage } from './take-stage.tsx';
import { cleanTitle } from '#web/features/recorder/take/clean-title.ts';
import { isInProgress, isOpen, takeOf, type TakeState } from '#web/features/recorder/take/take.ts';
import { typedText } from '#device/site-data/typed-text.ts';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { PressButton as Button } from '#web/ui/controls/press-button.tsx';
import { classes } from '#web/ui/classes.ts';
import notices from '#web/features/recorder/notices/notices.module.css';
import controls from './controls.module.css';
import styles from './screen.module.css';

const draftTitleKey = 'title:next';

/** The title for the next take. */
const draftTitleStore = createStore(typedText.read(draftTitleKey) ?? '');
userScope.onUserLeft(() => draftTitleStore.set(''));
draftTitleStore.subscribe(() => typedText.write(draftTitleKey, draftTitleStore.getSnapshot() || null));

/** The first screen. `children` are shown below the recorder: the newest recordings. */
export function RecorderScreen({ children }: { children?: ReactNode }) {
  const { t } = useLingui();
  const state = useTake();
  const { status: session } = useSession();
  const viewerId = useViewerId();
  const isSignedIn = session === 'signed-in';
  const draftTitle = useStore(draftTitleStore);
  const [markerToName, setMarkerToName] = useState<MarkerToName | null>(null);
  const take = takeOf(state);

  const record = () => {
    draftTitleStore.set('');
    void cueStart(audioPreferences.getSnapshot()).then(() => recorder.start(cleanTitle(draftTitle)));
  };
  const handleRecord = () => (takeOfOtherTab.getSnapshot() === null ? record() : secondTake.set(record));

  const handleMark = (by: 'key' | 'press') => {
    const markerId = recorder.addMarker();
    if (markerId === null) setMarkerToName(null);
    else focusToName(markerId, by, setMarkerToName);
  };

  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1} className={styles.heading}>
        <Trans>Record</Trans>
      </h1>
      {state.status === 'rejected' ? (
        <Suspense fallback={<Spinner label={t`Opening…`} />}>
          <RejectedTake state={state} onRecord={handleRecord} />
        </Suspense>
      ) : (
        <>
          <TakeStage
            state={state}
            userId={viewerId}
            draftTitle={draftTitle}
            onDraftTitle={draftTitleStore.set}
            onRecord={handleRecord}
            toName={markerToName}
            onNamed={() => setMarkerToName(null)}
          />
          <Suspense>
            <BelowStage />
          </Suspense>
          <Controls state={state} onRecord={handleRecord} onMark={handleMark} />
          <TakeFoot state={state} session={session} />
          {take && (
            <Suspense>
              <TakeNotices key={take.id} state={state} />
            </Suspense>
          )}
        </>
      )}
      <Suspense>
        <RecoveredNotice />
        {session === 'signed-out' && !isInProgress(state) && <OtherOwnersNotice className={notices.notice} />}
        {isSignedIn && !isOpen(state) && <UnclaimedNotice />}
        {take && <TakeLabels take={take} isEditable={isOpen(state)} toName={markerToName} />}
      </Suspense>
      {children !== undefined && <div className={styles.below}>{children}</div>}
    </div>
  );
}

interface ControlsProps {
  state: TakeState;
  onRecord: () => void;
  onMark: (by: 'key' | 'press') => void;
}

/** Record or Stop in the middle; during a take, Pause on one side and Add marker on the other. */
function Controls({ state, onRecord, onMark }: ControlsProps) {
  const { t } = useLingui();
  const [pauseKey, markKey] = [useKeyLabel('recorder.pause'), useKeyLabel('recorder.mark')];
  const isTakeOpen = isOpen(state);
  const isPaused = state.status === 'paused';
  useShortcuts({
    'recorder.record':
      (takeOf(state) === null && state.status !== 'foreign') || state.status === 'stopped'
        ? onRecord
        : undefined,
    'recorder.pause': isPaused ? recorder.resume : recorder.pause,
    'recorder.mark': isTakeOpen ? () => onMark('key') : undefined,
  });
  return (
    <div className={controls.controls}>
      <span>
        {isTakeOpen &&
          (isPaused ? (
            <SideButton icon={<Play />} label={t`Resume`} shortcut={pauseKey} onPress={recorder.resume} />
          ) : (
            <SideButton icon={<Pause />} label={t`Pause`} shortcut={pauseKey} onPress={recorder.pause} />
          ))}
      </span>
      <RecordButton status={state.status} onRecord={onRecord} onStop={recorder.stop} />
      <span>
        {isTakeOpen && (
          <SideButton
            icon={<Flag />}
            label={t`Add marker`}
            shortcut={markKey}
            onPress={() => onMark('press')}
          />
        )}
      </span>
    </div>
  );
}

/** A second press within this time is part of a double click, not a request to stop or to start again. */
const doublePressMs = 400;

export interface RecordButtonProps {
  status: TakeState['status'];
  onRecord: () => void;
  onStop: () => void;
}

const stopStatuses: ReadonlySet<TakeState['status']> = new Set([
  'recording',
  'paused',
  'interrupted',
  'stopping',
  'foreign',
]);

/** The round button. It is the same element before, during and after a take, so that it retains the focus. */
export function RecordButton({ status, onRecord, onStop }: RecordButtonProps) {
  const { t } = useLingui();
  const key = useKeyLabel('recorder.record');
  const pressedAtMs = useRef(-doublePressMs);
  const isStop = stopStatuses.has(status);
  const isBusy = status === 'asking' || status === 'stopping';

  const handlePress = () => {
    const nowMs = performance.now();
    if (isBusy || nowMs - pressedAtMs.current < doublePressMs) return;
    pressedAtMs.current = nowMs;
    if (isStop) onStop();
    else onRecord();
  };

  const label = isStop ? t`Stop` : t`Record`;
  return (
    <Button
      aria-label={label}
      data-record
      data-ends={isStop || undefined}
      data-tooltip={key ? `${label} (${key})` : label}
      onPress={handlePress}
      className={classes(
        controls.record,
        status === 'stopped' && controls.small,
        isStop && controls.isStop,
        isBusy && controls.isBusy,
      )}
    >
      <span aria-hidden className={controls.sign} />
    </Button>
  );
}

export interface SideButtonProps {
  icon: ReactNode;
  /** The visible label and accessible name. */
  label: string;
  /** The keyboard shortcut, shown in a tooltip; empty if there is none. */
  shortcut: string;
  onPress: () => void;
}

/** A round button with a label below, beside the Record button. */
export function SideButton({ icon, label, shortcut, onPress }: SideButtonProps) {
  return (
    <Button
      onPress={onPress}
      data-tooltip={shortcut ? `${label} (${shortcut})` : undefined}
      className={controls.side}
    >
      <span aria-hidden className={controls.round}>
        {icon}
      </span>
      <span className={controls.word}>{label}</span>
    </Button>
  );
}
