import { Trans, useLingui } from '@lingui/react/macro';
import { iso } from '#web/i18n/iso.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { hearChannel, oneChannel } from '#web/features/player/playback/one-channel.ts';

const all = 'all';

/** Which channel of a file with several microphones is heard. Rendered only if one can be heard alone. */
export function ChannelSelect() {
  const { t } = useLingui();
  const format = useFormat();
  const { track } = useStore(player);
  const { channel, hasFailed } = useStore(oneChannel);
  const channels = track?.channels ?? null;
  if (channels === null) return null;
  const nameOf = (stated: string, index: number): string => {
    const number = format.number(index + 1);
    const name = iso(stated);
    return stated === '' ? t`Channel ${number}` : t`Channel ${number}: ${name}`;
  };
  const options = [
    { value: all, label: t`All channels` },
    ...channels.names.map((name, index) => ({ value: String(index), label: nameOf(name, index) })),
  ];
  return (
    <div>
      <Select
        label={t`Channels`}
        value={channel === null ? all : String(channel)}
        options={options}
        onChange={(value) => hearChannel(value === all ? null : Number(value))}
      />
      {hasFailed && (
        <output>
          <Trans>This browser can’t play one channel of this file.</Trans>
        </output>
      )}
    </div>
  );
}
