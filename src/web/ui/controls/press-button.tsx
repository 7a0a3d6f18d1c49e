import { useState, type ComponentPropsWithRef, type MouseEvent, type PointerEvent } from 'react';

export interface PressButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'onClick' | 'disabled'> {
  onPress?: (() => void) | undefined;
  /** Called when the pointer or the focus reaches the button, to preload what a press will need. */
  onApproach?: () => void;
  isDisabled?: boolean;
  /** Busy with the last press: keeps the focus, but ignores presses. */
  isPending?: boolean;
}

/**
 * The platform's button with React Aria's interface: `onPress`, and `data-hovered`, `data-pressed` and
 * `data-disabled` for styling. React Aria's own button would add 17 kB to the first screen; menus, dialogs and
 * fields use React Aria and load later.
 */
export function PressButton({
  onPress,
  onApproach,
  isDisabled = false,
  isPending = false,
  type = 'button',
  ...rest
}: PressButtonProps) {
  const [isHovered, setHovered] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) {
      event.preventDefault();
      return;
    }
    // Safari does not focus a button that is clicked, so a closing dialog could not return the focus to it.
    event.currentTarget.focus({ preventScroll: true });
    onPress?.();
  };
  const handleEnter = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setHovered(true);
    onApproach?.();
  };
  const release = () => setPressed(false);
  return (
    <button
      {...rest}
      type={type}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      data-hovered={(isHovered && !isDisabled) || undefined}
      data-pressed={(isPressed && !isDisabled) || undefined}
      data-disabled={isDisabled || undefined}
      onClick={handleClick}
      onFocus={onApproach}
      onPointerEnter={handleEnter}
      onPointerLeave={() => {
        setHovered(false);
        release();
      }}
      onPointerDown={() => setPressed(true)}
      onPointerUp={release}
      onPointerCancel={release}
    />
  );
}
