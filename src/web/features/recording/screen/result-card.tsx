import { Mic, Play } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { safetyOf } from '#web/recording-state/recording-state.ts';
import { sentenceFor } from '#web/recording-state/state-words.ts';
import { isInMemory, takeFactsOf } from '../take/take-safety.ts';
import type { Take } from '../take/take.ts';
import styles from './result.module.css';

export interface ResultCardProps {
  take: Take;
  /** The person signed in, or the last one known while nobody can say; null: nobody. */
  userId: string | null;
  onRecordAnother: () => void;
}

/** What happens next to the take: from receipts, disk writes and its owner, never from whether the server can be reached. */
function Outcome({ take, userId }: Pick<ResultCardProps, 'take' | 'userId'>) {
  const { i18n } = useLingui();
  const facts = takeFactsOf(take, { isOpen: false, userId });
  const safety = safetyOf(facts);
  const isForgotten = safety !== 'server' && take.journal === 'database' && !isInMemory(take);
  if (isForgotten) return <Trans>Your recording is complete, but this private window forgets it when you close it. Sign in or download it first.</Trans>;
  return i18n._(sentenceFor(safety, facts.owner));
}

/** After Stop: what it is, where it is, and what one may want next. */
export function ResultCard({ take, userId, onRecordAnother }: ResultCardProps) {
  const format = useFormat();
  return (
    <section className={styles.card} aria-labelledby="result-title">
      <div className={styles.words}>
        <h2 id="result-title" className={styles.name}><UserText>{take.title}</UserText></h2>
        <p className={styles.facts}><time dateTime={new Date(take.startedAtMs).toISOString()}>{format.dateTime(take.startedAtMs)}</time> · <span>{format.duration(take.progress.capturedMs)}</span></p>
        <p className={styles.fate}><Outcome take={take} userId={userId} /></p>
      </div>
      <div className={styles.actions}>
        <LinkButton href={`/recordings/${take.id}`} variant="primary" icon={<Play />}><Trans>Play</Trans></LinkButton>
        <Button onPress={onRecordAnother} icon={<Mic />}><Trans>Record another</Trans></Button>
        {userId === null && <Button variant="plain" onPress={() => { requestSignIn(); }}><Trans>Sign in</Trans></Button>}
      </div>
    </section>
  );
}
