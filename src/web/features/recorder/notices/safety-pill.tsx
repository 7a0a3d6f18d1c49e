import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { stateMessages } from '#web/recordings/state/state-messages.ts';
import { StatusPill, type StatusPillProps } from '#web/ui/feedback/status-pill.tsx';
import type { TakeSafety } from '#web/features/recorder/take/take-safety.ts';
import { useShortLength } from './use-short-length.ts';
import styles from './notices.module.css';

/** If only this device has more audio than this, the pill draws attention to it. */
const careMs = 30_000;

type Safety = TakeSafety['safety'];

/** The states that are announced even while the microphone would record a screen reader's voice. */
const isWarning: Readonly<Record<Safety, boolean>> = {
  server: false,
  uploading: false,
  device: false,
  waiting: true,
  'sign-in-needed': true,
  'server-full': true,
  'account-deleted': true,
  'account-off': true,
  'deleted-elsewhere': true,
  rejected: true,
  memory: true,
};

function toneOf({ safety, behindMs }: TakeSafety): StatusPillProps['tone'] {
  if (safety === 'waiting' || safety === 'server-full') return behindMs > careMs ? 'warn' : 'device';
  if (safety === 'uploading') return behindMs > careMs ? 'device' : 'neutral';
  const { tone } = stateMessages[safety];
  return tone === 'live' ? 'neutral' : tone;
}

/** How much is not on the server yet, and why nothing is being uploaded if the state alone doesn't say so. */
function Detail({ safety, behindMs, condition }: TakeSafety): ReactNode {
  const behind = useShortLength()(behindMs);
  if (condition === 'gate-closed' && safety === 'waiting')
    return <Trans>sign in to your network first</Trans>;
  if (condition === 'server-trouble' && safety === 'waiting')
    return <Trans>the server isn’t responding, {behind} waiting</Trans>;
  if (safety === 'memory') return <Trans>{behind} not on the server yet</Trans>;
  if (safety === 'server') return <Trans>{behind} still uploading</Trans>;
  return <Trans>{behind} saved only on this device</Trans>;
}

/**
 * Where the bytes of the take are. Only the state is a live region, because the seconds would be announced
 * continuously. While the microphone is open only problems are announced, because it would record the voice of a
 * screen reader.
 */
export function SafetyPill({ safety, isMicrophoneOpen }: { safety: TakeSafety; isMicrophoneOpen: boolean }) {
  const { i18n } = useLingui();
  const { long, icon: Icon } = stateMessages[safety.safety];
  const hasDetail = safety.behindMs > 0 && safety.safety !== 'device';
  return (
    <StatusPill tone={toneOf(safety)} icon={<Icon />}>
      <output aria-live={isMicrophoneOpen && !isWarning[safety.safety] ? 'off' : 'polite'}>
        {i18n._(long)}
      </output>
      {hasDetail && (
        <>
          {' '}
          <span className={styles.detail}>
            · <Detail {...safety} />
          </span>
        </>
      )}
    </StatusPill>
  );
}
