import { Plural } from '@lingui/react/macro';
import { isUnowned } from '#device/takes/device-take.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

/**
 * How many recordings without an account the new account can take over: not those of other accounts, nor those that the
 * server refused. Renders nothing if there are none.
 */
export function MovingTakes() {
  const { takes } = useStore(deviceTakes);
  const count = takes.filter((take) => isUnowned(take) && take.facts.blockReason === undefined).length;
  if (count === 0) return null;
  return (
    <Plural
      value={count}
      one="# recording on this device can move to your account too."
      other="# recordings on this device can move to your account too."
    />
  );
}
