import { useRef, useState, type ReactNode } from 'react';
import { Ellipsis } from 'lucide-react';
import { classes } from '#web/ui/classes.ts';
import type { ButtonVariant } from '#web/ui/controls/button.tsx';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { OpenedPart } from './opened-part.tsx';
import styles from '#web/ui/controls/button.module.css';

export interface MenuItem {
  id: string;
  label: string;
  icon?: ReactNode;
  onAction: () => void;
  danger?: boolean;
  isDisabled?: boolean;
}

export interface MenuButtonProps {
  label: string;
  icon?: ReactNode;
  items: readonly MenuItem[];
  variant?: ButtonVariant;
  /** Shown beside the icon. Without it the button is an icon with a tooltip. */
  children?: ReactNode;
  /** The end of the button that the menu aligns with. */
  align?: 'start' | 'end';
  /** The id of the current item, for a menu that is a choice. */
  selected?: string;
  tabIndex?: number | undefined;
  className?: string | undefined;
}

const popover = lazyChunk(() => import('./menu-popover.tsx'));
const MenuPopover = popover.component((chunk) => chunk.MenuPopover);

/**
 * A button with a menu. The menu's code loads when the pointer or the focus reaches the button, so that no screen
 * waits for it.
 */
export function MenuButton({
  label,
  icon,
  items,
  variant = 'plain',
  children,
  align = 'end',
  selected,
  tabIndex,
  className,
}: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isIcon = children === undefined;
  const handleClose = () => setOpen(false);
  return (
    <>
      <PressButton
        ref={button}
        aria-label={label}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-tooltip={isIcon ? label : undefined}
        onApproach={popover.preload}
        onPress={() => setOpen(!isOpen)}
        className={classes(styles.button, isIcon && styles.icon, styles[variant], className)}
      >
        {icon ?? (isIcon && <Ellipsis aria-hidden />)}
        {children}
      </PressButton>
      {isOpen && (
        <OpenedPart onClose={handleClose}>
          <MenuPopover
            label={label}
            triggerRef={button}
            items={items}
            align={align}
            selected={selected}
            onClose={handleClose}
          />
        </OpenedPart>
      )}
    </>
  );
}
