import { CloudOff, HardDrive, MemoryStick, ShieldCheck, type LucideIcon } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { StatusPill, type StatusPillProps } from '#web/ui/feedback/status-pill.tsx';
import type { SafetyFact } from '../take/safety-words.ts';
import { useShortLength } from './use-short-length.ts';
import styles from './notices.module.css';

/** Beyond this the person should know that much is only here. */
const careMs = 30_000;

const keptTone = (keptHereMs: number) => (keptHereMs > careMs ? 'warn' : 'device');
const behindTone = (behindMs: number) => (behindMs > careMs ? 'device' : 'neutral');

interface Words { tone: StatusPillProps['tone']; icon: LucideIcon; state: string; detail: ReactNode }

type Progress = Extract<SafetyFact, { kind: 'server' | 'server-behind' | 'device' | 'device-behind' }>;
type Trouble = Exclude<SafetyFact, Progress>;

const isTrouble = (fact: SafetyFact): fact is Trouble => !['server', 'server-behind', 'device', 'device-behind'].includes(fact.kind);

function useProgressWords(): (fact: Progress) => Words {
  const { t } = useLingui();
  const length = useShortLength();
  return (fact) => {
    const behind = 'behindMs' in fact ? length(fact.behindMs) : null;
    const detail = behind === null ? null : <Trans>{behind} still uploading</Trans>;
    if (fact.kind === 'server' || fact.kind === 'server-behind') return { tone: 'safe', icon: ShieldCheck, state: t`Saved on the server`, detail };
    return { tone: 'behindMs' in fact ? behindTone(fact.behindMs) : 'device', icon: HardDrive, state: t`Saved on this device`, detail };
  };
}

function useTroubleWords(): (fact: Trouble) => Words {
  const { t } = useLingui();
  const length = useShortLength();
  const device = t`Saved on this device`;
  return (fact) => {
    switch (fact.kind) {
      case 'offline': {
        const kept = length(fact.keptHereMs);
        return { tone: keptTone(fact.keptHereMs), icon: CloudOff, state: t`Offline`, detail: <Trans>{kept} saved on this device</Trans> };
      }
      case 'gate-closed': return { tone: keptTone(fact.keptHereMs), icon: HardDrive, state: device, detail: <Trans>sign in to your network first</Trans> };
      case 'server-full': {
        const kept = length(fact.keptHereMs);
        return { tone: keptTone(fact.keptHereMs), icon: HardDrive, state: t`The server is full`, detail: <Trans>{kept} saved on this device</Trans> };
      }
      case 'server-trouble': {
        const behind = length(fact.behindMs);
        return { tone: 'device', icon: HardDrive, state: device, detail: <Trans>the server isn’t responding, {behind} waiting</Trans> };
      }
      case 'memory': {
        const behind = length(fact.behindMs);
        return { tone: 'warn', icon: MemoryStick, state: t`Only in this page’s memory`, detail: <Trans>{behind} not on the server yet</Trans> };
      }
      case 'sign-in-needed': return { tone: 'device', icon: HardDrive, state: device, detail: <Trans>sign in to save this recording on the server</Trans> };
    }
  };
}


/**
 * The state of safety. Only its words are a live status; the seconds beside them would never stop talking. While the microphone is open
 * nothing but trouble is said: a screen reader's voice would be in the recording.
 */
export function SafetyPill({ fact, isMicrophoneOpen }: { fact: SafetyFact; isMicrophoneOpen: boolean }) {
  const [progressWords, troubleWords] = [useProgressWords(), useTroubleWords()];
  const { tone, icon: Icon, state, detail } = isTrouble(fact) ? troubleWords(fact) : progressWords(fact);
  return (
    <StatusPill tone={tone} icon={<Icon />}>
      <output aria-live={isMicrophoneOpen && !isTrouble(fact) ? 'off' : 'polite'}>{state}</output>
      {detail !== null && <> <span className={styles.detail}>· {detail}</span></>}
    </StatusPill>
  );
}
