import { decodeOverview, thumbnail, thumbnailPath } from './thumbnail-path.ts';
import styles from './rows.module.css';

/** The shape of a recording beside its title; a quiet line while its shape is not known. */
export function ThumbnailWave({ overview }: { overview: string | null }) {
  const path = thumbnailPath(overview === null ? new Uint8Array() : decodeOverview(overview));
  return (
    <svg aria-hidden viewBox={`0 0 ${thumbnail.widthPx} ${thumbnail.heightPx}`} width={thumbnail.widthPx} height={thumbnail.heightPx} className={styles.thumbnail}>
      <path d={path} />
    </svg>
  );
}
