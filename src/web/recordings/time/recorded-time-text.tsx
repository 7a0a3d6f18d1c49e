import { Trans } from '@lingui/react/macro';
import { formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import { isoTime, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { useFormat } from '#web/i18n/use-format.ts';

/** The time of a recording in the reader's language, as precise as it is known. */
export function RecordedTimeText({ time, isDateOnly = false }: { time: RecordedTime; isDateOnly?: boolean }) {
  const { locale } = useFormat();
  const text = formatRecordedTime(time, { locale, isDateOnly });
  return text === null ? (
    <span data-time>
      <Trans>Date unknown</Trans>
    </span>
  ) : (
    <time data-time dateTime={isoTime(time) ?? undefined}>
      {text}
    </time>
  );
}
