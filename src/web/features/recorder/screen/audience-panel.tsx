import { useState } from 'react';
import { Pause, Radio, Share2 } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { OnAir } from '#web/recordings/on-air/on-air.ts';
import { StopSharingDialog } from '#web/recordings/on-air/stop-sharing-dialog.tsx';
import { useOnAirSign } from '#web/recordings/on-air/use-on-air-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { isMuted, listenerMuteOf } from '#web/features/recorder/labels/listener-mute.ts';
import { MuteNotice } from '#web/features/recorder/notices/mute-notice.tsx';
import { MuteButton } from '#web/features/recorder/labels/mute-button.tsx';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isOpen, type RunningTakeState } from '#web/features/recorder/take/take.ts';
import { useTakeAudience } from '#web/features/recorder/use-take-audience.ts';
import styles from './audience-panel.module.css';

/** Who hears the take now, or that links play it only later. */
function AudienceText({ onAir }: { onAir: OnAir | null }) {
  const text = useOnAirSign(onAir);
  if (!text)
    return (
      <p className={styles.text}>
        <Share2 aria-hidden />
        <Trans>Links play this recording once it’s finished.</Trans>
      </p>
    );
  return (
    <p className={styles.text}>
      <Radio aria-hidden />
      <span>
        <strong>{text.name}</strong>
        {[text.who, ...text.details].map((detail) => (
          <span key={detail}> · {detail}</span>
        ))}
      </span>
    </p>
  );
}

/**
 * Who can hear the running take, and what ends that. Shown as long as a link gives out what is recorded, also one that
 * was made elsewhere. Pause stands beside Mute, because what is muted is recorded.
 */
export function AudiencePanel({ state }: { state: RunningTakeState }) {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  const { take, status } = state;
  const { onAir, isShared } = useTakeAudience(take);
  const notice = isOpen(state) && <MuteNotice take={take} />;
  if (!isShared && !isMuted(listenerMuteOf(take.passages))) return notice;
  return (
    <>
      {notice}
      <section aria-label={t`Listeners`} className={styles.panel} data-live={onAir ? true : undefined}>
        {isShared && <AudienceText onAir={onAir} />}
        <div className={styles.actions}>
          {isOpen(state) && <MuteButton take={take} />}
          {(status === 'recording' || status === 'interrupted') && (
            <Button variant="plain" icon={<Pause aria-hidden />} onPress={recorder.pause}>
              <Trans>Pause recording</Trans>
            </Button>
          )}
          {isShared && (
            <Button variant="plain" data-ends onPress={() => setAsked(true)}>
              <Trans>Stop sharing</Trans>
            </Button>
          )}
        </div>
        {isAsked && <StopSharingDialog recordingId={take.id} onClose={() => setAsked(false)} />}
      </section>
    </>
  );
}
