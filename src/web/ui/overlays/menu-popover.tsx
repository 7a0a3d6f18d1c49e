import type { ReactNode, RefObject } from 'react';
import { Check } from 'lucide-react';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { classes } from '#web/ui/classes.ts';
import '#web/ui/focus/keyboard-clicks.ts';
import styles from './popover.module.css';

/**
 * A menu that opens takes the focus (ARIA menu button pattern): its first item, or the menu itself if that item
 * ends something.
 */
const openingAtFirst = { autoFocus: 'first' } as const;
const openingAtMenu = { autoFocus: true } as const;

export interface MenuPopoverProps {
  label: string;
  triggerRef: RefObject<HTMLElement | null>;
  items: readonly {
    id: string;
    label: string;
    icon?: ReactNode;
    onAction: () => void;
    danger?: boolean;
    isDisabled?: boolean;
  }[];
  align: 'start' | 'end';
  selected: string | undefined;
  onClose: () => void;
}

export function MenuPopover({ label, triggerRef, items, align, selected, onClose }: MenuPopoverProps) {
  const choice = selected === undefined ? {} : { selectionMode: 'single' as const, selectedKeys: [selected] };
  return (
    <Popover
      aria-label={label}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      triggerRef={triggerRef}
      placement={`bottom ${align}`}
      offset={4}
      className={classes(styles.popover)}
    >
      <Menu
        aria-label={label}
        {...(items[0]?.danger ? openingAtMenu : openingAtFirst)}
        onClose={onClose}
        className={classes(styles.menu)}
        {...choice}
      >
        {items.map(({ id, label: text, icon, onAction, danger = false, isDisabled = false }) => (
          <MenuItem
            key={id}
            id={id}
            textValue={text}
            isDisabled={isDisabled}
            onAction={onAction}
            className={classes(styles.item, danger && styles.danger)}
          >
            {icon}
            <span dir="auto">{text}</span>
            {id === selected && <Check aria-hidden className={styles.tick} />}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
