import { useId } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Star } from 'lucide-react';
import { classes } from '#web/ui/classes.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStar } from './use-star.ts';
import styles from './star-button.module.css';

export interface StarButtonProps {
  recording: { id: string; isFavourite: boolean };
  /** The id of the element with the recording's title. */
  titleId: string;
  /** The shortcut, for the tooltip. */
  shortcut?: string;
  tabIndex?: number;
  className?: string | undefined;
}

/** Adds a recording to the favourites of the signed-in user, or removes it. */
export function StarButton({ recording, titleId, className, ...rest }: StarButtonProps) {
  const { t } = useLingui();
  const id = useId();
  const { isOn, toggle } = useStar(recording);
  return (
    <IconButton
      {...rest}
      id={id}
      label={t({
        message: 'Favourite',
        comment: 'A switch with a star: whether a recording is one of the person’s favourites',
      })}
      aria-labelledby={`${id} ${titleId}`}
      pressed={isOn}
      icon={<Star />}
      onPress={toggle}
      className={classes(styles.star, className)}
    />
  );
}
