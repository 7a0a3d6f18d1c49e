import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { FileArchive } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { useCloseWarning } from '#web/ui/hooks/use-close-warning.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { Ended, Paused, Ready, Running } from './account-import-steps.tsx';
import { accountImportRejectionMessages } from './account-import-messages.ts';
import styles from './account-import.module.css';
import { accountImporter, importingUserId } from './shared-account-importer.ts';
import type { AccountImportView } from './account-import-view.ts';

/** Imports an account's export from another server or account. */
export function AccountImportSection() {
  const view = useStore(accountImporter);
  const isBusy = view.step === 'running' || view.step === 'paused';
  useCloseWarning(isBusy);
  return (
    <section className={styles.section}>
      <h2>
        <Trans>Import an account</Trans>
      </h2>
      <p className={styles.hint}>
        <Trans>
          Choose the ZIP file you exported from this or another Earshot server. Audio, markers, notes and
          times are imported unchanged. Nothing already here changes.
        </Trans>
      </p>
      <Shown view={view} />
      {!isBusy && <Choose isFirst={view.step === 'idle'} />}
    </section>
  );
}

function Shown({ view }: { view: AccountImportView }): ReactNode {
  const { t, i18n } = useLingui();
  const messageOf = useErrorMessage();
  switch (view.step) {
    case 'idle':
      return null;
    case 'opening':
      return <Spinner label={t`Checking the file…`} />;
    case 'rejected':
      return (
        <Notice tone="warn" role="alert">
          {i18n._(accountImportRejectionMessages[view.reason])}
        </Notice>
      );
    case 'unchecked':
      return (
        <Notice
          tone="warn"
          role="alert"
          action={
            <Button onPress={accountImporter.plan}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          {messageOf(view.error)}
        </Notice>
      );
    case 'ready':
      return <Ready plan={view.plan} />;
    case 'running':
      return <Running plan={view.plan} progress={view.progress} />;
    case 'paused':
      return <Paused plan={view.plan} progress={view.progress} error={view.error} />;
    case 'ended':
      return <Ended plan={view.plan} progress={view.progress} />;
  }
}

function Choose({ isFirst }: { isFirst: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const handleChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (file) accountImporter.choose(file, importingUserId());
    // Lets the user choose the same file again.
    currentTarget.value = '';
  };
  return (
    <>
      <Button icon={<FileArchive aria-hidden />} onPress={() => input.current?.click()}>
        {isFirst ? <Trans>Choose a ZIP file</Trans> : <Trans>Choose another file</Trans>}
      </Button>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          accept=".zip,application/zip"
          tabIndex={-1}
          aria-hidden
          data-restore="file"
          onChange={handleChange}
        />
      </VisuallyHidden>
    </>
  );
}
