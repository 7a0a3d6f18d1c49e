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
  'over-quota': true,
  'account-deleted': true,
  'account-off': true,
  'deleted-elsewhere': true,
  rejected: true,
  memory: true,
};

function toneOf({ safety, behindMs }: TakeSafety): StatusPillProps['tone'] {
  if (safety === 'waiting' || safety === 'server-full' || safety === 'over-quota')
    return behindMs > careMs ? 'warn' : 'device';
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

interface SafetyProps {
  safety: TakeSafety;
  isMicrophoneOpen: boolean;
}

/**
 * The state is a live region, the seconds beside it are not, because they would be announced continuously. While the
 * microphone is open only problems are announced, because it would record the voice of a screen reader.
 */
function SafetyText({ safety: { safety }, isMicrophoneOpen }: SafetyProps) {
  const { i18n } = useLingui();
  return (
    <output aria-live={isMicrophoneOpen && !isWarning[safety] ? 'off' : 'polite'}>
      {i18n._(stateMessages[safety].long)}
    </output>
  );
}

/** Where the bytes of the take are. */
export function SafetyPill(props: SafetyProps) {
  const { safety } = props;
  const { icon: Icon } = stateMessages[safety.safety];
  const hasDetail = safety.behindMs > 0 && safety.safety !== 'device';
  return (
    <StatusPill tone={toneOf(safety)} icon={<Icon />}>
      <SafetyText {...props} />
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

/** The state of the pill alone, for the bar of a running take. A small screen shows only its icon. */
export function SafetySign(props: SafetyProps) {
  const { i18n } = useLingui();
  const { safety } = props;
  const { icon: Icon, long } = stateMessages[safety.safety];
  return (
    <span data-tooltip={i18n._(long)} className={styles.sign}>
      <StatusPill tone={toneOf(safety)} icon={<Icon />} className={styles.signPill}>
        <SafetyText {...props} />
      </StatusPill>
    </span>
  );
}
