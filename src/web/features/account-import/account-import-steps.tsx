import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play, Upload } from 'lucide-react';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { conditionMessages } from '#web/recordings/state/condition-messages.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { notImportedMessages } from './account-import-messages.ts';
import styles from './account-import.module.css';
import { accountImporter } from './shared-account-importer.ts';
import {
  sentBytesOf,
  type NotImported,
  type AccountImportPlan,
  type AccountImportProgress,
} from './account-import-view.ts';

interface Step {
  plan: AccountImportPlan;
  progress: AccountImportProgress;
}

/** The contents of the file, and the part that would be sent. */
export function Ready({ plan }: { plan: AccountImportPlan }) {
  const format = useFormat();
  const {
    contents: { recordings },
    hereCount,
    rejected,
    neededBytes,
    freeBytes,
  } = plan;
  const length = format.duration(recordings.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const size = format.fileSize(recordings.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const hasSpace = freeBytes === null || neededBytes <= freeBytes;
  const [needed, free] = [format.fileSize(neededBytes), format.fileSize(freeBytes ?? 0)];
  return (
    <>
      <div className={styles.card}>
        <p>
          <Plural value={recordings.length} one="# recording" other="# recordings" />, {length}, {size}
        </p>
        {hereCount > 0 && (
          <p className={styles.meta}>
            <Plural
              value={hereCount}
              one="# of them is already here and won’t change."
              other="# of them are already here and won’t change."
            />
          </p>
        )}
      </div>
      <NotImported items={rejected} />
      {hasSpace ? (
        <Button variant="primary" icon={<Upload aria-hidden />} onPress={accountImporter.start}>
          <Trans>Import everything</Trans>
        </Button>
      ) : (
        <Notice tone="warn" role="alert">
          <Trans>
            Not enough storage in your account: {needed} needed, {free} free.
          </Trans>
        </Notice>
      )}
    </>
  );
}

/** The progress of a running import. */
export function Running({ plan, progress }: Step) {
  return (
    <>
      <div className={styles.card}>
        <SendProgress plan={plan} progress={progress} />
        <Current current={progress.current} />
        <p className={styles.meta}>
          <Trans>
            Keep this page open until everything is imported. If it closes, choose the file again to continue.
          </Trans>
        </p>
      </div>
      <div className={styles.buttons}>
        <Button icon={<Pause aria-hidden />} onPress={accountImporter.pause}>
          <Trans>Pause</Trans>
        </Button>
        <Button variant="plain" onPress={accountImporter.drop}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </>
  );
}

/** A paused import that waits for the user. */
export function Paused({ plan, progress, error }: Step & { error: unknown }) {
  const messageOf = useErrorMessage();
  return (
    <>
      {error !== null && (
        <Notice tone="warn" role="alert">
          {messageOf(error)}
        </Notice>
      )}
      <div className={styles.card}>
        <SendProgress plan={plan} progress={progress} />
      </div>
      <div className={styles.buttons}>
        <Button variant="primary" icon={<Play aria-hidden />} onPress={accountImporter.start}>
          <Trans>Continue</Trans>
        </Button>
        <Button variant="plain" onPress={accountImporter.drop}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </>
  );
}

/** The result of an import. */
export function Ended({ plan, progress: { imported, failures, rejectedItems, leftOutWords } }: Step) {
  return (
    <>
      <Notice tone="safe">
        <output>
          <Plural
            value={imported}
            _0="Nothing new was imported."
            one="# recording was imported."
            other="# recordings were imported."
          />
        </output>
      </Notice>
      {rejectedItems > 0 && (
        <Notice tone="warn">
          <Plural
            value={rejectedItems}
            one="# tag or saved view wasn’t imported."
            other="# tags or saved views weren’t imported."
          />
        </Notice>
      )}
      {leftOutWords > 0 && (
        <Notice tone="warn">
          <Plural
            value={leftOutWords}
            one="# line of a transcript wasn’t imported."
            other="# lines of transcripts weren’t imported."
          />
        </Notice>
      )}
      <NotImported items={[...plan.rejected, ...failures]} />
    </>
  );
}

function SendProgress({ plan: { toSend, toSendBytes }, progress }: Step) {
  const { t } = useLingui();
  const format = useFormat();
  const { done, speed: moving, current } = progress;
  const all = toSend.length;
  const sentBytes = sentBytesOf(progress);
  const [sent, size] = [format.fileSize(sentBytes), format.fileSize(toSendBytes)];
  const [speed, left] = [
    format.fileSize(moving?.bytesPerSecond ?? 0),
    format.duration(Math.max(1000, moving?.leftMs ?? 0)),
  ];
  return (
    <>
      <p>
        <Plural value={all} one={`${done} of # recording`} other={`${done} of # recordings`} />
      </p>
      <ProgressBar label={t`Upload progress`} done={sentBytes} all={toSendBytes} />
      {moving && current && (
        <p className={styles.meta}>
          <Trans comment="speed: bytes in a second, as 3 MB; left: a length of time, as 2 minutes">
            {sent} of {size} · {speed}/s · {left} left
          </Trans>
        </p>
      )}
    </>
  );
}

function Current({ current }: Pick<AccountImportProgress, 'current'>) {
  const { i18n } = useLingui();
  const format = useFormat();
  if (current === null) return null;
  const waiting = conditionMessages[current.condition];
  const [sent, size] = [format.fileSize(current.bytes), format.fileSize(current.sizeBytes)];
  return (
    <p className={styles.meta}>
      <UserText>{current.title}</UserText>
      {': '}
      {current.step === 'checking' && <Trans>Checking the file is complete…</Trans>}
      {current.step === 'sending' &&
        (waiting === null ? (
          <Trans>
            {sent} of {size}
          </Trans>
        ) : (
          i18n._(waiting)
        ))}
    </p>
  );
}

/** The recordings that are not imported, by title, with the reason. */
function NotImported({ items }: { items: readonly NotImported[] }) {
  const { i18n } = useLingui();
  if (items.length === 0) return null;
  return (
    <div className={styles.card}>
      <h3>
        <Plural
          value={items.length}
          one="# recording wasn’t imported"
          other="# recordings weren’t imported"
        />
      </h3>
      <ul className={styles.list}>
        {items.map(({ title, reason }, index) => (
          <li key={index}>
            <UserText>{title}</UserText>
            <span className={styles.meta}>{i18n._(notImportedMessages[reason])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
