import { Plural, Trans } from '@lingui/react/macro';
import { dateFormat } from '#base/recorded-time/format-recorded-time.ts';
import { orderMsOf } from '#base/recorded-time/order.ts';
import { unknownTime } from '#base/recorded-time/recorded-time.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { importer } from '#web/features/imports/importer/shared-importer.ts';
import { acceptOffered } from '#web/features/imports/importer/start-imports.ts';
import type { ImportItem } from '#web/features/imports/importer/import-item.ts';
import styles from './import-tray.module.css';

/** Prompts that answer the same question for many files at once. */
export function ImportPrompts({ rows }: { rows: readonly ImportItem[] }) {
  return (
    <>
      <OfferedFiles rows={rows} />
      <UnreadFiles rows={rows} />
      <UndatedFiles rows={rows} />
    </>
  );
}

/** Asks about all files that another app or page handed over. Each row asks about its own file. */
function OfferedFiles({ rows }: { rows: readonly ImportItem[] }) {
  const format = useFormat();
  const offered = rows.filter(({ state }) => state.step === 'offered');
  if (offered.length === 0) return null;
  const ids = offered.map(({ id }) => id);
  const size = format.fileSize(offered.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  return (
    <Notice tone="info" className={styles.notice}>
      <p>
        <Plural
          value={offered.length}
          one={`Another app or page shared # file (${size}). Nothing is imported until you choose.`}
          other={`Another app or page shared # files (${size}). Nothing is imported until you choose.`}
        />
      </p>
      {offered.length > 1 && (
        <div className={styles.choices}>
          <Button variant="primary" onPress={() => acceptOffered(ids)}>
            <Trans>Import all</Trans>
          </Button>
          <Button variant="plain" data-ends onPress={() => ids.forEach(importer.dismiss)}>
            <Trans>Discard all</Trans>
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** Asks about all files that could not be inspected. Each row asks about its own file. */
function UnreadFiles({ rows }: { rows: readonly ImportItem[] }) {
  const unread = rows.filter(({ state }) => state.step === 'unread').map(({ id }) => id);
  if (unread.length < 2) return null;
  return (
    <Notice tone="info" className={styles.notice}>
      <p>
        <Trans>Earshot couldn’t read these files. Upload them anyway?</Trans>
      </p>
      <div className={styles.choices}>
        <Button variant="primary" onPress={() => unread.forEach(importer.insist)}>
          <Trans>Upload all</Trans>
        </Button>
        <Button variant="plain" onPress={() => unread.forEach(importer.dismiss)}>
          <Trans>Upload none</Trans>
        </Button>
      </div>
    </Notice>
  );
}

/** Proposes the dates of all files of which nothing else says when they were recorded, once they are read. */
function UndatedFiles({ rows }: { rows: readonly ImportItem[] }) {
  const { locale } = useFormat();
  const undated = rows.filter(({ proposedTime }) => proposedTime !== null);
  if (undated.length === 0 || rows.some(({ state }) => state.step === 'reading')) return null;
  const ids = undated.map(({ id }) => id);
  const days = undated.map(({ proposedTime }) => orderMsOf(proposedTime ?? unknownTime));
  const dates = dateFormat(locale, { dateStyle: 'medium' }).formatRange(Math.min(...days), Math.max(...days));
  return (
    <Notice tone="info" className={styles.notice}>
      <p>
        <Trans comment="dates: a day, or from one day to another">
          The recording date is unknown. Use the date of each file ({dates})?
        </Trans>
      </p>
      <div className={styles.choices}>
        <Button variant="primary" onPress={() => importer.chooseDates(ids, true)}>
          <Trans>Use dates</Trans>
        </Button>
        <Button variant="plain" onPress={() => importer.chooseDates(ids, false)}>
          <Trans>Leave unknown</Trans>
        </Button>
      </div>
    </Notice>
  );
}
