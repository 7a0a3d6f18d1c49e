import type { ReactNode } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Download, PackageOpen } from 'lucide-react';
import type { AccountExport } from '#contract/exports-api.ts';
import { limits } from '#contract/limits.ts';
import { urlOf } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { LeftOutRecordings } from './left-out-recordings.tsx';
import { accountExportKey, useAccountExport, type AccountExportState } from './use-account-export.ts';
import styles from './account-data.module.css';

/** Exports all data of the user as one file; `accountImport` is rendered below. */
export function DataSettings({ accountImport }: { accountImport?: ReactNode }) {
  const messageOf = useErrorMessage();
  const state = useAccountExport((error) => {
    showToast({ message: () => messageOf(error), tone: 'danger' });
  });
  return (
    <div className={styles.page}>
      <section className={styles.section}>
        <h2>
          <Trans>Export all my data</Trans>
        </h2>
        <p className={styles.hint}>
          <Trans>
            All your recordings in one ZIP file: the audio as stored, markers, notes and details, in formats
            other apps can read.
          </Trans>{' '}
          <Trans>The export doesn’t include the trash, or recordings that are only on a device.</Trans>
        </p>
        <Made state={state} />
      </section>
      {accountImport}
    </div>
  );
}

function Made({ state: { made, answer, isStarting, start } }: { state: AccountExportState }) {
  const { t } = useLingui();
  if (made === undefined)
    return <QueryState of={accountExportKey} answer={answer} label={t`Checking your recordings…`} />;
  const gather = (text: ReactNode) => (
    <Button
      variant={made === null ? 'primary' : 'plain'}
      icon={<PackageOpen aria-hidden />}
      isPending={isStarting}
      onPress={start}
    >
      {text}
    </Button>
  );
  if (made === null) return gather(<Trans>Prepare export</Trans>);
  if (made.state === 'preparing')
    return <Spinner label={t`Preparing your export. You can leave this page.`} />;
  if (made.state === 'failed')
    return (
      <>
        <Notice tone="warn" role="alert">
          <Trans>Couldn’t prepare the export. Nothing was changed.</Trans>
        </Notice>
        {gather(<Trans>Prepare export</Trans>)}
      </>
    );
  return (
    <>
      <Ready made={made} />
      {made.leftOutRecordings && (
        <LeftOutRecordings
          recordings={made.leftOutRecordings}
          more={Math.max(0, made.leftOut - limits.leftOutNamed)}
        />
      )}
      <div className={styles.buttons}>
        <LinkButton
          href={urlOf('downloadAccountExport', { params: { exportId: made.id } })}
          download=""
          variant="primary"
          icon={<Download aria-hidden />}
        >
          <Trans>Download</Trans>
        </LinkButton>
        {gather(<Trans>Prepare a new export</Trans>)}
      </div>
    </>
  );
}

function Ready({
  made: { createdAt, expiresAt, sizeBytes, recordingCount, leftOut, leftOutRecordings },
}: {
  made: AccountExport;
}) {
  const format = useFormat();
  const size = format.fileSize(sizeBytes);
  const [made, day] = [format.dateTime(createdAt), format.date(expiresAt)];
  return (
    <div className={styles.space}>
      <p>
        <Plural value={recordingCount} one="# recording" other="# recordings" />, {size}
      </p>
      <p className={styles.meta}>
        <Trans>
          Made {made}. You can download it until {day}. If the download is interrupted, you can resume it.
        </Trans>
      </p>
      {leftOut > 0 && !leftOutRecordings && (
        <p>
          <Plural
            value={leftOut}
            one="# recording isn’t included because it’s unfinished or has no sound."
            other="# recordings aren’t included because they’re unfinished or have no sound."
          />
        </p>
      )}
    </div>
  );
}
