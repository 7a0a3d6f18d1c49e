import type { KeyboardEvent, ReactNode } from 'react';
import { player } from '#web/features/player/engine/shared-player.ts';
import { momentFragment } from './moment.ts';

export interface SeekLinkProps {
  atMs: number;
  className: string | undefined;
  /** Called before a press seeks. */
  onPress?: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  tabIndex?: number;
  children: ReactNode;
}

/** A link to a moment of the recording. A press seeks there without leaving the page. */
export function SeekLink({ atMs, className, onPress, onKeyDown, tabIndex, children }: SeekLinkProps) {
  return (
    <a
      href={momentFragment(atMs)}
      className={className}
      onKeyDown={onKeyDown}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.preventDefault();
        onPress?.();
        player.seek(atMs);
      }}
    >
      {children}
    </a>
  );
}
