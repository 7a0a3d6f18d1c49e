import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import type { OnAir } from './on-air.ts';

/** Who hears a recording while it is made, how many listen, and how late: one text for each. */
export function useOnAirText(): (onAir: OnAir) => { who: string; details: string[] } {
  const { t } = useLingui();
  const { duration, number } = useFormat();
  return ({ audience, peopleCount, listeningCount, delayMs }) => {
    const who = {
      anyone: t`Anyone with the link`,
      password: t`Anyone with the link and its password`,
      account: t`Anyone with an account on this server`,
      named: plural(peopleCount ?? 0, { one: '# person', other: '# people' }),
    }[audience];
    const count = listeningCount === null ? null : number(listeningCount);
    const delay = duration(delayMs);
    return {
      who,
      details: [
        ...(count === null
          ? []
          : [t({ message: `Listening: ${count}`, comment: 'How many people hear a live recording' })]),
        delayMs === 0 ? t`Without delay` : t`Delay: ${delay}`,
      ],
    };
  };
}
