import type { ReactNode } from 'react';
import { Mic } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import type { ResultFate } from '#device/takes/server-word.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { RestoreButton } from '#web/features/recorder/notices/restore-button.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './result.module.css';

const sentences: Readonly<Record<Exclude<ResultFate, 'here'>, ReactNode>> = {
  'recorded-elsewhere': <Trans>This recording is running in another tab</Trans>,
  trashed: <Trans>This recording is in the trash. You can restore it.</Trans>,
  deleted: <Trans>This recording was deleted on another device.</Trans>,
};

/** The result of a take that was continued, moved to the trash or deleted elsewhere since. */
export function ChangedResult({
  take,
  fate,
  onRecordAnother,
}: {
  take: Take;
  fate: Exclude<ResultFate, 'here'>;
  onRecordAnother: () => void;
}) {
  return (
    <>
      <div className={styles.text}>
        {fate !== 'deleted' && (
          <p className={styles.facts}>
            <strong>
              <UserText>{titleText(take)}</UserText>
            </strong>
          </p>
        )}
        <output>{sentences[fate]}</output>
      </div>
      <div className={styles.actions}>
        {fate === 'trashed' && <RestoreButton takeId={take.id} />}
        <Button onPress={onRecordAnother} icon={<Mic />}>
          <Trans>Record another</Trans>
        </Button>
      </div>
    </>
  );
}
