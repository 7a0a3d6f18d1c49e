import { useLingui } from '@lingui/react/macro';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { noticedGapMs } from '#web/features/player/engine/gaps.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

/** What playing does at a gap; offered where the recording has one that is noticed. */
export function GapChoice() {
  const { t } = useLingui();
  const { track, skipsGaps } = useStore(player);
  if (!track?.gaps.some(({ durationMs }) => durationMs >= noticedGapMs)) return null;
  const options = [
    { value: 'skip', label: t`Skip gaps` },
    { value: 'silence', label: t`Play gaps as silence` },
  ] as const;
  return (
    <Select
      label={t`When playback reaches a gap`}
      value={skipsGaps ? 'skip' : 'silence'}
      options={options}
      onChange={(value) => player.setSkipsGaps(value === 'skip')}
    />
  );
}
