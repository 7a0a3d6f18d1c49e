import { useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import { call, urlOf } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { saveFrom } from '#web/ui/dom/save-file.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';

/** Downloads several of the server's recordings as one ZIP file, which the server streams. */
export function useZipDownload(): (ids: readonly string[]) => void {
  const { t } = useLingui();
  const format = useFormat();
  const messageOf = useErrorMessage();
  return (ids) => {
    if (ids.length > limits.recordingsPerZip) {
      const number = format.number(limits.recordingsPerZip);
      showToast({ message: () => t`You can download ${number} recordings at a time. Select fewer.` });
      return;
    }
    call('createZip', { body: { ids: [...ids] } }).then(
      ({ ticket }) => saveFrom(urlOf('getZip', { params: { ticket } }), ''),
      (error: unknown) => {
        if (error instanceof Error) showFailure(() => messageOf(error));
      },
    );
  };
}
