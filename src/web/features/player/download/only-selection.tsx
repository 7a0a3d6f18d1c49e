import { Trans } from '@lingui/react/macro';
import { formatTimecode } from '#base/format-timecode.ts';
import type { SoundSelection } from '#playback/playback-state.ts';
import { Switch } from '#web/ui/controls/switch.tsx';

/** Limits a file to the selection. */
export function OnlySelection({
  chosen,
  isPart,
  isDisabled,
  onChange,
}: {
  chosen: SoundSelection;
  isPart: boolean;
  isDisabled: boolean;
  onChange: (isPart: boolean) => void;
}) {
  const [from, to] = [formatTimecode(chosen.fromMs), formatTimecode(chosen.toMs)];
  return (
    <Switch
      isSelected={isPart}
      onChange={onChange}
      isDisabled={isDisabled}
      description={
        <Trans>
          From {from} to {to}
        </Trans>
      }
    >
      <Trans>Selection only</Trans>
    </Switch>
  );
}
