import { useLingui } from '@lingui/react';
import { StatusPill } from '#web/ui/feedback/status-pill.tsx';
import type { RecordingState } from '#device/takes/recording-state.ts';
import { stateMessages } from './state-messages.ts';

/** The state of a recording in its long form, with its icon. */
export function StatePill({ state, className }: { state: RecordingState; className?: string | undefined }) {
  const { i18n } = useLingui();
  const { long, icon: Icon, tone } = stateMessages[state];
  return (
    <StatusPill tone={tone === 'live' ? 'neutral' : tone} icon={<Icon />} className={className}>
      {i18n._(long)}
    </StatusPill>
  );
}
