import { useState, type ReactNode } from 'react';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { formatTimecode } from '#base/format-timecode.ts';
import { languageName } from '#base/language-name.ts';
import type { TranscriberState } from '#contract/transcripts-api.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { useSession } from '#web/api/session.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { languageOptions } from '#web/i18n/language-options.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import type { KnownTranscript, StartBody, TranscriptActions } from './use-transcript.ts';
import styles from './transcript.module.css';

/** Why a transcription ended or waits, where it is not the code of an error. */
const causes: Readonly<Record<string, MessageDescriptor>> = {
  'language-unknown': msg`Which language is spoken?`,
  'engine-missing': msg`This server can’t transcribe: its engine isn’t installed. Ask the person who runs it.`,
  'model-broken': msg`The speech model doesn’t work on this server. Ask the person who runs it.`,
  'transcriber-refused': msg`The transcription server refused this server’s key. Ask the person who runs it.`,
  'transcriber-wrong-address': msg`There’s no transcription server at its address. Ask the person who runs it.`,
  'transcriber-unavailable': msg`The transcription server doesn’t respond. Earshot tries again.`,
};

const messageOfCause = (cause: string | null): MessageDescriptor =>
  (cause === null ? undefined : causes[cause]) ?? messageOf({ code: cause });

export interface TranscriptStateProps {
  transcript: KnownTranscript;
  transcriber: TranscriberState | undefined;
  /** That of the recording; null if nobody has set it. */
  language: string | null;
  durationMs: number;
  /** Absent for a recording that cannot be changed. */
  actions: TranscriptActions | null;
}

/** A part at the end of a recording that is shorter was not left out. */
const minRestMs = 1000;

/** What is known of a transcription, and what can be done about it. */
export function TranscriptState(props: TranscriptStateProps) {
  const { transcript, transcriber, durationMs, actions } = props;
  const { state } = transcript;
  if (state === 'waiting' || state === 'running')
    return <Progress transcript={transcript} durationMs={durationMs} onStop={actions?.stop} />;
  return (
    <>
      <Outcome transcript={transcript} />
      {actions !== null && transcriber !== undefined && (
        <Next {...props} actions={actions} transcriber={transcriber} />
      )}
    </>
  );
}

/** What the owner can do next. */
function Next({
  transcript,
  transcriber,
  language,
  durationMs,
  actions,
}: TranscriptStateProps & { actions: TranscriptActions; transcriber: TranscriberState }) {
  const { state, heardToMs, toMs } = transcript;
  const canContinue = state !== 'none' && (toMs ?? durationMs) - heardToMs > minRestMs;
  if (state === 'ready' && !canContinue) return null;
  if (transcriber.state !== 'ready') return <Missing transcriber={transcriber} />;
  const { address } = transcriber;
  return (
    <>
      {address !== null && (
        <p className={styles.note}>
          <SentTo address={address} />
        </p>
      )}
      <Start
        transcript={transcript}
        language={language}
        label={<StartLabel state={state} canContinue={canContinue} isElsewhere={address !== null} />}
        onStart={(chosen) =>
          actions.start({
            ...chosen,
            ...(canContinue ? { fromMs: heardToMs } : {}),
            ...agreementTo(transcriber),
          })
        }
      />
    </>
  );
}

/** What a request says of the host that gets the sound. The screen names it before. */
export const agreementTo = (transcriber: TranscriberState | undefined): Pick<StartBody, 'agreesToAddress'> =>
  transcriber === undefined || transcriber.address === null ? {} : { agreesToAddress: transcriber.address };

function SentTo({ address: host }: { address: string }) {
  const address = isoLeftToRight(host);
  return <Trans>The audio of this recording is sent to {address}.</Trans>;
}

function Missing({ transcriber: { state } }: { transcriber: TranscriberState }) {
  const { t } = useLingui();
  const { user } = useSession();
  if (state === 'engine-missing') return <p className={styles.note}>{t(messageOfCause(state))}</p>;
  return (
    <p className={styles.note}>
      {user?.role === 'admin' && state === 'no-model' ? (
        <>
          <Trans>This server has no speech model yet.</Trans>{' '}
          <Link href="/settings/transcripts">
            <Trans>Set up transcripts</Trans>
          </Link>
        </>
      ) : (
        <Trans>This server can’t transcribe yet. Ask the person who runs it.</Trans>
      )}
    </p>
  );
}

function Progress({
  transcript: { state, fromMs, heardToMs, toMs, cause },
  durationMs,
  onStop,
}: {
  transcript: KnownTranscript;
  durationMs: number;
  onStop: (() => Promise<void>) | undefined;
}) {
  const { t } = useLingui();
  const endMs = toMs ?? durationMs;
  const [heard, end] = [heardToMs, endMs].map((ms) => isoLeftToRight(formatTimecode(ms)));
  return (
    <div className={styles.state}>
      <ProgressBar
        label={t`Transcription`}
        done={heardToMs - fromMs}
        all={endMs - fromMs}
        className={styles.bar}
      />
      <span>
        {cause !== null ? (
          t(messageOfCause(cause))
        ) : state === 'waiting' || heardToMs === fromMs ? (
          <Trans>Waiting to be transcribed</Trans>
        ) : (
          <Trans>
            Transcribed up to {heard} of {end}
          </Trans>
        )}
      </span>
      {onStop && (
        <PendingButton onPress={onStop}>
          <Trans>Stop</Trans>
        </PendingButton>
      )}
    </div>
  );
}

/** How the last transcription ended. */
function Outcome({
  transcript: { state, language, endedAt, heardToMs, cause },
}: {
  transcript: KnownTranscript;
}) {
  const { t, i18n } = useLingui();
  const format = useFormat();
  const heard = isoLeftToRight(formatTimecode(heardToMs));
  if (state === 'failed') return <p className={styles.note}>{t(messageOfCause(cause))}</p>;
  if (state === 'stopped')
    return (
      <p className={styles.note}>
        <Trans>Stopped at {heard}.</Trans>
      </p>
    );
  if (state !== 'ready' || endedAt === null) return null;
  const date = format.date(Date.parse(endedAt));
  const name = language === null ? null : languageName(language, i18n.locale);
  return (
    <p className={styles.note}>
      {name === null ? (
        <Trans>Transcribed on {date}. Automatic transcripts contain mistakes.</Trans>
      ) : (
        <Trans>
          Transcribed on {date} ({name}). Automatic transcripts contain mistakes.
        </Trans>
      )}
    </p>
  );
}

function StartLabel({
  state,
  canContinue,
  isElsewhere,
}: Pick<KnownTranscript, 'state'> & { canContinue: boolean; isElsewhere: boolean }) {
  if (state === 'ready') return <Trans>Transcribe the rest</Trans>;
  if (state === 'stopped' && canContinue) return <Trans>Continue</Trans>;
  if (state === 'failed') return <Trans>Try again</Trans>;
  return isElsewhere ? <Trans>Agree and transcribe</Trans> : <Trans>Transcribe</Trans>;
}

/** Asks for the language where the engine does not know it, and starts. */
function Start({
  transcript: { state, cause },
  language,
  label,
  onStart,
}: {
  transcript: KnownTranscript;
  language: string | null;
  label: ReactNode;
  onStart: (body: Pick<StartBody, 'language'>) => Promise<void>;
}) {
  const { t } = useLingui();
  const format = useFormat();
  const [chosen, setChosen] = useState(language ?? '');
  const asks = state === 'failed' && (cause === 'language-unknown' || cause === 'language-unsupported');
  return (
    <div className={styles.state}>
      {asks && (
        <Select
          label={t`Spoken language`}
          value={chosen}
          options={[{ value: '', label: t`Not set` }, ...languageOptions(format.locale, language)]}
          onChange={setChosen}
        />
      )}
      <PendingButton
        variant={asks ? 'primary' : 'quiet'}
        isDisabled={asks && chosen === ''}
        onPress={() => onStart(asks ? { language: chosen } : {})}
      >
        {label}
      </PendingButton>
    </div>
  );
}

/** A button that is busy until its press has ended. */
function PendingButton({
  onPress,
  children,
  ...rest
}: {
  onPress: () => Promise<void>;
  variant?: 'primary' | 'quiet';
  isDisabled?: boolean;
  children: ReactNode;
}) {
  const { run, isPending } = useAction(onPress);
  return (
    <Button {...rest} isPending={isPending} onPress={run}>
      {children}
    </Button>
  );
}
