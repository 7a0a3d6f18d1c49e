import { Flag, Pause, Play } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { minute, second } from '#base/duration.ts';
import { SafetyPill } from '#web/features/recorder/notices/safety-pill.tsx';
import { RecordButton, SideButton } from '#web/features/recorder/screen/recorder-screen.tsx';
import type { TakeSafety } from '#web/features/recorder/take/take-safety.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { Part, State, States } from '#web/dev/states.tsx';

const statuses: readonly TakeState['status'][] = [
  'idle',
  'asking',
  'recording',
  'paused',
  'interrupted',
  'stopping',
  'stopped',
];
const safeties: readonly TakeSafety[] = [
  { safety: 'server', behindMs: 0, condition: 'idle' },
  { safety: 'server', behindMs: 400, condition: 'syncing' },
  { safety: 'uploading', behindMs: 12 * second, condition: 'syncing' },
  { safety: 'uploading', behindMs: minute, condition: 'syncing' },
  { safety: 'device', behindMs: 0, condition: 'unattached' },
  { safety: 'waiting', behindMs: 20 * second, condition: 'offline' },
  { safety: 'waiting', behindMs: 3.2 * minute, condition: 'offline' },
  { safety: 'waiting', behindMs: 20 * second, condition: 'gate-closed' },
  { safety: 'waiting', behindMs: minute, condition: 'server-trouble' },
  { safety: 'server-full', behindMs: minute, condition: 'server-full' },
  { safety: 'over-quota', behindMs: minute, condition: 'over-quota' },
  { safety: 'sign-in-needed', behindMs: minute, condition: 'capability-rejected' },
  { safety: 'memory', behindMs: minute, condition: 'syncing' },
];
const nothing = () => undefined;

export function RecorderSection() {
  const { t } = useLingui();
  return (
    <>
      <Part name="recording/record-button, side-button">
        <States>
          {statuses.map((status) => (
            <State key={status} name={status}>
              <RecordButton status={status} onRecord={nothing} onStop={nothing} />
            </State>
          ))}
          <State name="pause">
            <SideButton icon={<Pause />} label={t`Pause`} shortcut="P" onPress={nothing} />
          </State>
          <State name="resume">
            <SideButton icon={<Play />} label={t`Resume`} shortcut="P" onPress={nothing} />
          </State>
          <State name="marker">
            <SideButton icon={<Flag />} label={t`Add marker`} shortcut="" onPress={nothing} />
          </State>
        </States>
      </Part>
      <Part name="recording/safety-pill">
        <States>
          {safeties.map((safety) => (
            <State key={JSON.stringify(safety)} name={safety.safety}>
              <SafetyPill safety={safety} isMicrophoneOpen={false} />
            </State>
          ))}
        </States>
      </Part>
    </>
  );
}
