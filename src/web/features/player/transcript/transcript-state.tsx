import { useState } from 'react';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { formatTimecode } from '#base/format-timecode.ts';
import { languageName } from '#base/language-name.ts';
import type { TranscriberState } from '#contract/transcripts-api.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { languageOptions } from '#web/i18n/language-options.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import type { KnownTranscript, TranscriptActions } from './use-transcript.ts';
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

export interface TranscriptStateProps {
  recordingId: string;
  transcript: KnownTranscript;
  transcriber: TranscriberState | undefined;
  language: string | null;
  durationMs: number;
  /** Absent for a recording that cannot be changed. */
  actions: TranscriptActions | null;
}

/** A part at the end of a recording that is shorter was not left out. */
const minRestMs = 1000;

/** What is known of a transcription, and what can be done about it. */
export function TranscriptState({
  transcript,
  transcriber,
  language,
  durationMs,
  actions,
}: TranscriptStateProps) {
  const { state } = transcript;
  const agreement = transcriber?.address == null ? {} : { agreesToAddress: transcriber.address };
  if (state === 'waiting' || state === 'running')
    return <Progress transcript={transcript} durationMs={durationMs} onStop={actions?.stop} />;
  const isMissing = transcriber !== undefined && transcriber.state !== 'ready';
  const endMs = transcript.toMs ?? durationMs;
  const restMs = state === 'none' ? durationMs : endMs - transcript.heardToMs;
  const canContinue = state !== 'none' && restMs > minRestMs;
  return (
    <>
      <Outcome transcript={transcript} />
      {actions !== null && isMissing && state !== 'ready' && <Missing />}
      {actions !== null &&
        transcriber?.state === 'ready' &&
        transcriber.address !== null &&
        state !== 'ready' && (
          <p className={styles.note}>
            <Trans>The audio of this recording is sent to {isoLeftToRight(transcriber.address)}.</Trans>
          </p>
        )}
      {actions !== null && transcriber?.state === 'ready' && (
        <Start
          transcript={transcript}
          language={language}
          isElsewhere={transcriber.address !== null}
          onStart={(chosen) =>
            actions.start({
              ...(chosen === null ? {} : { language: chosen }),
              ...(canContinue ? { fromMs: transcript.heardToMs } : {}),
              ...agreement,
            })
          }
          canContinue={canContinue}
        />
      )}
    </>
  );
}

function Missing() {
  return (
    <p className={styles.note}>
      <Trans>This server can’t transcribe yet. Ask the person who runs it.</Trans>
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
  const [isStopping, setStopping] = useState(false);
  const endMs = toMs ?? durationMs;
  const [heard, end] = [heardToMs, endMs].map((ms) => isoLeftToRight(formatTimecode(ms)));
  const known = cause === null ? undefined : causes[cause];
  return (
    <div className={styles.state}>
      <ProgressBar
        label={t`Transcription`}
        done={heardToMs - fromMs}
        all={endMs - fromMs}
        className={styles.bar}
      />
      <span>
        {known !== undefined ? (
          t(known)
        ) : state === 'waiting' || heardToMs === fromMs ? (
          <Trans>Waiting to be transcribed</Trans>
        ) : (
          <Trans>
            Transcribed up to {heard} of {end}
          </Trans>
        )}
      </span>
      {onStop && (
        <Button
          isPending={isStopping}
          onPress={async () => {
            setStopping(true);
            await onStop();
            setStopping(false);
          }}
        >
          <Trans>Stop</Trans>
        </Button>
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
  if (state === 'failed') {
    const known = cause === null ? undefined : causes[cause];
    return <p className={styles.note}>{t(known ?? messageOf({ code: cause }))}</p>;
  }
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

function Start({
  transcript: { state, cause },
  language,
  isElsewhere,
  canContinue,
  onStart,
}: {
  transcript: KnownTranscript;
  language: string | null;
  isElsewhere: boolean;
  canContinue: boolean;
  onStart: (language: string | null) => Promise<void>;
}) {
  const { t } = useLingui();
  const format = useFormat();
  const [isStarting, setStarting] = useState(false);
  const [chosen, setChosen] = useState(language ?? '');
  const needsLanguage =
    state === 'failed' && (cause === 'language-unknown' || cause === 'language-unsupported');
  if (state === 'ready' && !canContinue) return null;
  return (
    <div className={styles.state}>
      {needsLanguage && (
        <Select
          label={t`Spoken language`}
          value={chosen}
          options={[{ value: '', label: t`Not set` }, ...languageOptions(format.locale, language)]}
          onChange={setChosen}
        />
      )}
      <Button
        variant={state === 'none' ? 'quiet' : 'primary'}
        isPending={isStarting}
        isDisabled={needsLanguage && chosen === ''}
        onPress={async () => {
          setStarting(true);
          await onStart(needsLanguage && chosen !== '' ? chosen : null);
          setStarting(false);
        }}
      >
        {canContinue && state === 'ready' ? (
          <Trans>Transcribe the rest</Trans>
        ) : canContinue && state === 'stopped' ? (
          <Trans>Continue</Trans>
        ) : state === 'failed' ? (
          <Trans>Try again</Trans>
        ) : isElsewhere ? (
          <Trans>Agree and transcribe</Trans>
        ) : (
          <Trans>Transcribe</Trans>
        )}
      </Button>
    </div>
  );
}
