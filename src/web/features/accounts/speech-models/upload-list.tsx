import { useRef, type ChangeEvent } from 'react';
import { Trans } from '@lingui/react/macro';
import { FolderUp } from 'lucide-react';
import { ApiError } from '#web/api/api-error.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { SettingsItem, SettingsList } from '#web/features/accounts/parts/section.tsx';
import { type ModelUpload, modelUploads, stopModelUploads, uploadModelFiles } from './model-uploads.ts';
import type { ShownModel } from './use-speech-models.ts';
import styles from './speech-models.module.css';

function UploadState({ upload }: { upload: ModelUpload }) {
  const { fileSize } = useFormat();
  const messageOf = useErrorMessage();
  const [stored, all] = [fileSize(upload.storedBytes), fileSize(upload.sizeBytes)];
  switch (upload.state) {
    case 'unknown':
      return <Trans>Not a file of a model that Earshot knows.</Trans>;
    case 'failed':
      return upload.error instanceof ApiError && upload.error.code === 'checksum-mismatch' ? (
        <Trans>The file isn’t the expected one.</Trans>
      ) : (
        messageOf(upload.error)
      );
    case 'done':
      return <Trans>Done</Trans>;
    case 'waiting':
    case 'sending':
      return (
        <Trans>
          {stored} of {all}
        </Trans>
      );
  }
}

function UploadItem({ upload }: { upload: ModelUpload }) {
  return (
    <SettingsItem
      title={<bdi translate="no">{upload.fileName}</bdi>}
      below={
        (upload.state === 'sending' || upload.state === 'waiting') && (
          <ProgressBar
            isSlim
            className={styles.progress}
            label={upload.fileName}
            done={upload.storedBytes}
            all={upload.sizeBytes}
          />
        )
      }
    >
      <UploadState upload={upload} />
    </SettingsItem>
  );
}

/** Sends files of models that the administrator has, for servers without internet. */
export function ModelFilesChooser({ models }: { models: readonly ShownModel[] }) {
  const input = useRef<HTMLInputElement>(null);
  const uploads = useStore(modelUploads);
  const isSending = uploads.some(({ state }) => state === 'sending' || state === 'waiting');
  const handleChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    if (files.length > 0) void uploadModelFiles(files, models);
    // Lets the user choose the same files again.
    currentTarget.value = '';
  };
  return (
    <div className={styles.uploads}>
      <div className={styles.buttons}>
        <Button icon={<FolderUp aria-hidden />} isDisabled={isSending} onPress={() => input.current?.click()}>
          <Trans>Choose files…</Trans>
        </Button>
        {isSending && (
          <Button variant="plain" onPress={stopModelUploads}>
            <Trans>Stop</Trans>
          </Button>
        )}
      </div>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden
          data-speech-model="files"
          onChange={handleChange}
        />
      </VisuallyHidden>
      {uploads.length > 0 && (
        <SettingsList>
          {uploads.map((upload) => (
            <UploadItem key={upload.fileName} upload={upload} />
          ))}
        </SettingsList>
      )}
    </div>
  );
}
