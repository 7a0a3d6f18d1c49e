import type { CSSProperties } from 'react';
import { useLingui } from '@lingui/react/macro';
import { iso, isoLeftToRight } from '#web/i18n/iso.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { xOf } from './viewport.ts';
import type { Waveform } from './waveform.ts';
import styles from './waveform.module.css';

/**
 * Above this number only the canvas draws markers: buttons would be too close to tap, and the list shows them all.
 */
const maxPoints = 60;

/** Buttons for the visible markers below the wave; the name is shown on hover and focus. */
export function MarkerPoints({
  waveform,
  markers,
}: {
  waveform: Waveform;
  markers: readonly PlayableMarker[];
}) {
  const { t } = useLingui();
  const { view } = useStore(waveform);
  const visible = markers.filter(({ atMs }) => atMs >= view.startMs && atMs <= view.startMs + view.spanMs);
  if (visible.length === 0 || visible.length > maxPoints) return null;
  return (
    <div dir="ltr" className={styles.points}>
      {visible.map((marker) => {
        const time = isoLeftToRight(formatTimecode(marker.atMs));
        const label = iso(marker.label);
        const place: CSSProperties & Record<'--x', string> = {
          '--x': `${(xOf(view, marker.atMs) / view.widthPx) * 100}%`,
        };
        const name = marker.label ? t`Marker at ${time}: ${label}` : t`Marker at ${time}`;
        return (
          <button
            key={marker.id}
            type="button"
            style={place}
            className={styles.point}
            data-colour={marker.colour}
            aria-label={name}
            data-tooltip={marker.label || name}
            onClick={() => waveform.seek(marker.atMs)}
          />
        );
      })}
    </div>
  );
}
