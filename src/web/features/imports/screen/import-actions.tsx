import { Pause, Play, RotateCcw, X } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { importer } from '#web/features/imports/importer/shared-importer.ts';
import { acceptOffered } from '#web/features/imports/importer/start-imports.ts';
import type { ImportItem } from '#web/features/imports/importer/import-item.ts';

const pausable = new Set(['waiting', 'sending']);
const retried = new Set(['over-quota', 'failed']);
const ended = new Set(['done', 'rejected', 'unplayable']);

interface ImportActionsProps {
  row: ImportItem;
  styles: { buttons: string | undefined; text: string | undefined };
}

/** The actions for one import in its current state. */
export function ImportActions(props: ImportActionsProps) {
  const { step } = props.row.state;
  if (step === 'offered') return <OfferedActions {...props} />;
  return step === 'unread' ? <UnreadActions {...props} /> : <StartedActions {...props} />;
}

/** Whether to send a file that could not be inspected. */
function UnreadActions({ row: { id, name: plainName }, styles }: ImportActionsProps) {
  const { t } = useLingui();
  const name = iso(plainName);
  return (
    <div className={styles.text}>
      <Button variant="primary" aria-label={t`Upload ${name}`} onPress={() => importer.insist(id)}>
        {t({ message: 'Upload', context: 'a file, to the server' })}
      </Button>
      <Button variant="plain" aria-label={t`Don’t upload ${name}`} onPress={() => importer.dismiss(id)}>
        {t({ message: 'Don’t upload', context: 'a file, to the server' })}
      </Button>
    </div>
  );
}

/** Whether to import a file that another app or page handed over. */
function OfferedActions({ row: { id, name: plainName }, styles }: ImportActionsProps) {
  const { t } = useLingui();
  const name = iso(plainName);
  return (
    <div className={styles.text}>
      <Button
        variant="primary"
        aria-label={t`Import ${name}`}
        onPress={() => acceptOffered([id])}
      >{t`Import`}</Button>
      <Button variant="plain" data-ends onPress={() => importer.dismiss(id)}>{t`Discard file`}</Button>
    </div>
  );
}

function StartedActions({ row, styles }: ImportActionsProps) {
  const { t } = useLingui();
  const {
    id,
    state: { step },
  } = row;
  const name = iso(row.name);
  const isCutOff = row.state.step === 'failed' && row.state.error === 'cut-off';
  const handleCancel = () => {
    importer.cancel(id);
    showToast(
      {
        message: () => t`Import of ${name} cancelled.`,
        action: {
          label: () => t`Undo`,
          onAction: () => {
            void importer.undo(id);
          },
        },
      },
      {
        onGone: () => {
          importer.discard(id);
        },
      },
    );
  };
  return (
    <>
      <div className={styles.buttons}>
        {pausable.has(step) && (
          <IconButton
            label={t`Pause ${name}`}
            icon={<Pause aria-hidden />}
            onPress={() => importer.pause(id)}
          />
        )}
        {step === 'paused' && (
          <IconButton
            label={t`Resume ${name}`}
            icon={<Play aria-hidden />}
            onPress={() => importer.resume(id)}
          />
        )}
        {retried.has(step) && !isCutOff && (
          <IconButton
            label={t`Try ${name} again`}
            icon={<RotateCcw aria-hidden />}
            onPress={() => importer.resume(id)}
          />
        )}
        {ended.has(step) || isCutOff ? (
          <IconButton
            label={t`Remove ${name} from this list`}
            icon={<X aria-hidden />}
            onPress={() => importer.dismiss(id)}
          />
        ) : (
          step !== 'checking' && (
            <IconButton label={t`Cancel ${name}`} icon={<X aria-hidden />} onPress={handleCancel} />
          )
        )}
      </div>
      {step === 'duplicate' && (
        <div className={styles.text}>
          <Button onPress={() => importer.insist(id)}>{t`Import anyway`}</Button>
          <Button variant="plain" onPress={() => importer.dismiss(id)}>{t`Skip`}</Button>
        </div>
      )}
      {step === 'sign-in' && (
        <div className={styles.text}>
          <Button variant="primary" onPress={() => requestSignIn()}>{t`Sign in`}</Button>
        </div>
      )}
    </>
  );
}
