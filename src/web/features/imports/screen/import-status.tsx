import { Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { conditionMessages } from '#web/recordings/state/condition-messages.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { ImportItem, ImportState } from '#web/features/imports/importer/import-item.ts';
import { importRejectionMessage, importStepMessages, importErrorMessages } from './import-messages.ts';

type Sending = Extract<ImportState, { step: 'sending' }>;

function SendingStatus({
  row,
  state: { condition, bytesPerSecond, leftMs },
}: {
  row: ImportItem;
  state: Sending;
}) {
  const { i18n } = useLingui();
  const format = useFormat();
  const waiting = conditionMessages[condition];
  const [sent, size] = [format.fileSize(row.sentBytes), format.fileSize(row.sizeBytes)];
  if (waiting !== null) return i18n._(waiting);
  if (row.sentBytes === row.sizeBytes) return <Trans>Almost done…</Trans>;
  if (bytesPerSecond === null || leftMs === null)
    return (
      <Trans>
        {sent} of {size}
      </Trans>
    );
  const speed = format.fileSize(bytesPerSecond);
  const left = format.duration(Math.max(1000, leftMs));
  return (
    <Trans comment="speed: bytes in a second, as 3 MB; left: a length of time, as 2 minutes">
      {sent} of {size} · {speed}/s · {left} left
    </Trans>
  );
}

function SameStatus({
  state: {
    of: [same, ...more],
  },
}: {
  state: Extract<ImportState, { step: 'duplicate' }>;
}) {
  if (same === undefined) return null;
  const href = same.isTrashed ? '/trash' : `/recordings/${same.id}`;
  if (same.isTrashed)
    return (
      <Trans>
        Already in your trash:{' '}
        <Link href={href}>
          <UserText>{titleText(same)}</UserText>
        </Link>
      </Trans>
    );
  if (more.length > 0)
    return (
      <Trans>
        Already in your library, more than once:{' '}
        <Link href={href}>
          <UserText>{titleText(same)}</UserText>
        </Link>
      </Trans>
    );
  return (
    <Trans>
      Already in your library:{' '}
      <Link href={href}>
        <UserText>{titleText(same)}</UserText>
      </Link>
    </Trans>
  );
}

function QuotaStatus({
  state: { usedBytes, quotaBytes },
}: {
  state: Extract<ImportState, { step: 'over-quota' }>;
}) {
  const format = useFormat();
  if (usedBytes === null || quotaBytes === null)
    return <Trans>You don’t have enough storage for this file.</Trans>;
  const [used, quota] = [format.fileSize(usedBytes), format.fileSize(quotaBytes)];
  return (
    <Trans>
      You don’t have enough storage for this file: {used} of {quota} used.
    </Trans>
  );
}

function PausedStatus({ row }: { row: ImportItem }) {
  const format = useFormat();
  const [sent, size] = [format.fileSize(row.sentBytes), format.fileSize(row.sizeBytes)];
  return (
    <Trans>
      Paused at {sent} of {size}
    </Trans>
  );
}

/** The reason why an import stopped; null if there is no error. */
function StoppedStatus({ state }: { state: ImportState }) {
  const { i18n } = useLingui();
  if (state.step === 'rejected') return i18n._(importRejectionMessage(state));
  if (state.step === 'failed') return i18n._(importErrorMessages[state.error]);
  if (state.step === 'over-quota') return <QuotaStatus state={state} />;
  return state.step === 'duplicate' ? <SameStatus state={state} /> : null;
}

/** One line under a file's name: the state of its import, or why it stopped. */
export function ImportStatus({ row }: { row: ImportItem }) {
  const { i18n } = useLingui();
  const { state } = row;
  if (state.step === 'sending') return <SendingStatus row={row} state={state} />;
  if (state.step === 'paused') return <PausedStatus row={row} />;
  const text = importStepMessages[state.step];
  return text === undefined ? <StoppedStatus state={state} /> : i18n._(text);
}
