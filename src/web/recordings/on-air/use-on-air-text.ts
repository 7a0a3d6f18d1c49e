import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { useTitleSign } from '#web/ui/text/title-sign.ts';
import type { OnAir } from './on-air.ts';

interface OnAirText {
  /** “On air”. */
  name: string;
  /** Who hears the recording. */
  who: string;
  /** How many listen, and how late. */
  details: string[];
}

/** What the screens say of a recording that is heard while it is made. */
export function useOnAirText(): (onAir: OnAir) => OnAirText {
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
      name: t({ message: 'On air', comment: 'People can hear what is being recorded now' }),
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

/** The same for the take of this page, null if nobody hears it. The name also stands before the document's title. */
export function useOnAirSign(onAir: OnAir | null): OnAirText | null {
  const textOf = useOnAirText();
  const text = onAir && textOf(onAir);
  useTitleSign(text && text.name);
  return text;
}
