import { Trans } from '@lingui/react/macro';
import { formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import { isFromFile, isoTime, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { useFormat } from '#web/i18n/use-format.ts';

/** The time of a recording in the reader's language, as precise as it is known, and whether only its file says so. */
export function RecordedTimeText({ time, isDateOnly = false }: { time: RecordedTime; isDateOnly?: boolean }) {
  const { locale } = useFormat();
  const text = formatRecordedTime(time, { locale, isDateOnly });
  return text === null ? (
    <span data-time>
      <Trans>Date unknown</Trans>
    </span>
  ) : (
    <time data-time dateTime={isoTime(time) ?? undefined}>
      {isFromFile(time) ? (
        <Trans comment="text: the date of the imported file">{text} (from the file)</Trans>
      ) : (
        text
      )}
    </time>
  );
}
