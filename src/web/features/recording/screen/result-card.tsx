import { Mic, Play } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { isInMemory } from '../take/safety-words.ts';
import type { Take } from '../take/take.ts';
import styles from './result.module.css';

export interface ResultCardProps {
  take: Take;
  isSignedIn: boolean;
  onRecordAnother: () => void;
}

function Fate({ take, isSignedIn }: Pick<ResultCardProps, 'take' | 'isSignedIn'>) {
  if (take.safety === 'server') return <Trans>Your recording is complete and saved on the server.</Trans>;
  if (isInMemory(take)) return <Trans>Your recording is complete, but this device couldn’t store all of it. Keep this page open until it’s on the server.</Trans>;
  if (take.journal === 'database') return <Trans>Your recording is complete, but this private window forgets it when you close it. Sign in or download it first.</Trans>;
  if (isSignedIn) return <Trans>Your recording is complete and saved on this device. It’s uploading to the server. You can close this page: uploading continues next time you open Earshot.</Trans>;
  return <Trans>Your recording is complete and saved on this device only. Sign in to save it on the server too.</Trans>;
}

/** After Stop: what it is, where it is, and what one may want next. */
export function ResultCard({ take, isSignedIn, onRecordAnother }: ResultCardProps) {
  const format = useFormat();
  return (
    <section className={styles.card} aria-labelledby="result-title">
      <div className={styles.words}>
        <h2 id="result-title" className={styles.name}><UserText>{take.title}</UserText></h2>
        <p className={styles.facts}><time dateTime={new Date(take.startedAtMs).toISOString()}>{format.dateTime(take.startedAtMs)}</time> · <span>{format.duration(take.progress.capturedMs)}</span></p>
        <p className={styles.fate}><Fate take={take} isSignedIn={isSignedIn} /></p>
      </div>
      <div className={styles.actions}>
        <LinkButton href={`/recordings/${take.id}`} variant="primary" icon={<Play />}><Trans>Play</Trans></LinkButton>
        <Button onPress={onRecordAnother} icon={<Mic />}><Trans>Record another</Trans></Button>
        {!isSignedIn && <Button variant="plain" onPress={() => { requestSignIn(); }}><Trans>Sign in</Trans></Button>}
      </div>
    </section>
  );
}
