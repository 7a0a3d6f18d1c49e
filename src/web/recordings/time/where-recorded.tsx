import { useLingui } from '@lingui/react/macro';
import { formatWhereRecorded } from '#base/recorded-time/format-recorded-time.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { isPlace } from '#base/recorded-time/zones.ts';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';

/**
 * The local time where a recording was made; nothing if it equals the reader's or is unknown. A zone without a place,
 * such as UTC, says nothing about where that was.
 */
export function WhereRecorded({ time }: { time: RecordedTime }) {
  const { t } = useLingui();
  const { locale } = useFormat();
  const shown = formatWhereRecorded(time, { locale });
  if (shown === null) return null;
  const there = iso(shown);
  const zone = (time.kind === 'moment' && time.timeZone) || undefined;
  return (
    <span title={zone}>
      {zone !== undefined && isPlace(zone) ? t`${there} where it was recorded` : there}
    </span>
  );
}
