import { Trans } from '@lingui/react/macro';
import { iso } from '#web/i18n/iso.ts';
import { languageName } from '#base/language-name.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import type { ImportedTrack } from '#workers/import/import-record.ts';

/** The tracks of a file that has several: by title, else by language, else by number. */
export function TrackNames({ tracks }: { tracks: readonly ImportedTrack[] }) {
  const format = useFormat();
  const names = tracks.map(({ title, language }, index) => {
    if (title !== '') return iso(title);
    return language === null ? format.number(index + 1) : languageName(language, format.locale);
  });
  const list = format.list(names);
  return <Trans>Audio tracks: {list}</Trans>;
}
