import { Flag, Pause, Play } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { minute, second } from '#base/duration.ts';
import { SafetyPill } from '#web/features/recording/notices/safety-pill.tsx';
import { RecordButton } from '#web/features/recording/screen/record-button.tsx';
import { SideButton } from '#web/features/recording/screen/side-button.tsx';
import type { SafetyFact } from '#web/features/recording/take/safety-words.ts';
import type { TakeState } from '#web/features/recording/take/take.ts';
import { Part, State, States } from '../states.tsx';

const statuses: readonly TakeState['status'][] = ['idle', 'asking', 'recording', 'paused', 'interrupted', 'stopping', 'stopped'];
const facts: readonly SafetyFact[] = [
  { kind: 'server' }, { kind: 'server-behind', behindMs: 400 }, { kind: 'device' }, { kind: 'device-behind', behindMs: 12 * second },
  { kind: 'offline', keptHereMs: 20 * second }, { kind: 'offline', keptHereMs: 3.2 * minute }, { kind: 'gate-closed', keptHereMs: 20 * second }, { kind: 'gate-closed', keptHereMs: 3.2 * minute }, { kind: 'server-full', keptHereMs: minute },
  { kind: 'server-trouble', behindMs: minute }, { kind: 'sign-in-needed' },
];
const nothing = () => undefined;

export function Recorder() {
  const { t } = useLingui();
  return (
    <>
      <Part name="recording/record-button, side-button">
        <States>
          {statuses.map((status) => <State key={status} name={status}><RecordButton status={status} onRecord={nothing} onStop={nothing} /></State>)}
          <State name="pause"><SideButton icon={<Pause />} label={t`Pause`} shortcut="P" onPress={nothing} /></State>
          <State name="resume"><SideButton icon={<Play />} label={t`Resume`} shortcut="P" onPress={nothing} /></State>
          <State name="marker"><SideButton icon={<Flag />} label={t`Add marker`} shortcut="" onPress={nothing} /></State>
        </States>
      </Part>
      <Part name="recording/safety-pill">
        <States>{facts.map((fact) => <State key={JSON.stringify(fact)} name={fact.kind}><SafetyPill fact={fact} isMicrophoneOpen={false} /></State>)}</States>
      </Part>
    </>
  );
}
