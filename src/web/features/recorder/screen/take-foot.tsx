import { Suspense, useState } from 'react';
import { Trans } from '@lingui/react/macro';
import { viewer } from '#device/takes/viewer.ts';
import type { SessionState } from '#web/api/session.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { classes } from '#web/ui/classes.ts';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import {
  AudiencePanel,
  ForeignTakeHint,
  HowItStaysSafe,
  LevelSwitch,
  BeforeTakeHints,
  TabOwnerHint,
  RunningChips,
  TakeSafetyPill,
} from '#web/features/recorder/lazy-parts.tsx';
import { isOpen, isRunning, takeOf, type TakeState } from '#web/features/recorder/take/take.ts';
import { MicrophoneSelect, QualitySelect } from '#web/features/recorder/settings/audio-choice.tsx';
import { useMicrophonePermission } from '#web/features/recorder/settings/use-microphone-permission.ts';
import styles from './screen.module.css';

/** Why to record with Earshot, in one line. */
function SafetyPromise() {
  const [isOpen, setOpen] = useState(false);
  const handleClose = () => setOpen(false);
  return (
    <span>
      <Trans>
        Every second is saved as you speak. Close the tab or lose power: your recording is still here.
      </Trans>{' '}
      <PressButton className={classes(styles.how)} onPress={() => setOpen(true)}>
        <Trans>How?</Trans>
      </PressButton>
      {isOpen && (
        <OpenedPart onClose={handleClose}>
          <HowItStaysSafe onClose={handleClose} />
        </OpenedPart>
      )}
    </span>
  );
}

/** Which account the recordings of a signed-out user go to. */
function WhereRecordingsGo({ session }: Pick<TakeFootProps, 'session'>) {
  const { tab } = useStore(viewer);
  const viewerId = useViewerId();
  // Without the server the session is unknown, but the user has an account.
  if (session === 'unknown' && viewerId !== null) return null;
  if (session === 'signed-out' && tab.ownerId !== null)
    return (
      <Suspense>
        <TabOwnerHint ownerId={tab.ownerId} />
      </Suspense>
    );
  return (
    <span className={session === 'unknown' ? styles.unsaid : undefined}>
      <Trans>No account needed. Recordings stay on this device until you sign in.</Trans>
    </span>
  );
}

function Hint({ state, session }: TakeFootProps) {
  const permission = useMicrophonePermission();
  if (state.status === 'asking')
    return state.isMicrophoneOpen ? (
      <span>
        <Trans>The microphone is open. Recording is starting…</Trans>
      </span>
    ) : (
      <>
        <span>
          <Trans>Opening the microphone…</Trans>
        </span>
        {permission !== 'granted' && (
          <span>
            <Trans>Your browser is asking to use the microphone. Choose “Allow” to start.</Trans>
          </span>
        )}
      </>
    );
  return (
    <>
      <SafetyPromise />
      {session !== 'signed-in' && <WhereRecordingsGo session={session} />}
      {(permission ?? 'prompt') === 'prompt' && (
        <span>
          <Trans>
            Your browser will ask to use the microphone when you press Record. Earshot only listens while you
            record.
          </Trans>
        </span>
      )}
    </>
  );
}

export interface TakeFootProps {
  state: TakeState;
  session: SessionState['status'];
}

/**
 * Below the buttons: where the take is saved, or why the browser asks for the microphone; then microphone and
 * quality.
 */
export function TakeFoot({ state, session }: TakeFootProps) {
  if (state.status === 'foreign')
    return (
      <div className={styles.safety}>
        <p className={styles.reason}>
          <Suspense>
            <ForeignTakeHint ownerId={state.ownerId} />
          </Suspense>
        </p>
      </div>
    );
  const take = state.status === 'asking' ? null : takeOf(state);
  return (
    <>
      {isRunning(state) && (
        <Suspense>
          <AudiencePanel state={state} />
        </Suspense>
      )}
      {state.status !== 'stopped' && (
        <div className={styles.safety}>
          {take ? (
            <Suspense>
              <TakeSafetyPill state={state} />
            </Suspense>
          ) : (
            <p className={styles.reason}>
              <Hint state={state} session={session} />
            </p>
          )}
        </div>
      )}
      {!isRunning(state) && (
        <Suspense>
          <BeforeTakeHints />
        </Suspense>
      )}
      <div className={classes(styles.chips, state.status === 'stopped' && styles.afterwards)}>
        {isRunning(state) ? (
          <Suspense>
            <RunningChips take={state.take} isOpen={isOpen(state)} />
          </Suspense>
        ) : (
          <>
            <MicrophoneSelect look="chip" />
            <QualitySelect look="chip" />
            {state.status !== 'stopped' && (
              <Suspense>
                <LevelSwitch />
              </Suspense>
            )}
          </>
        )}
      </div>
    </>
  );
}
