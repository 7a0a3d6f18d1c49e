import { useLingui } from '@lingui/react/macro';
import { Download, Flag, Mic, Pencil } from 'lucide-react';
import { Button, type ButtonProps } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Part, State, States } from '#web/dev/states.tsx';
import styles from '#web/dev/dev.module.css';

const variants = ['primary', 'quiet', 'plain', 'danger'] as const;
/** Sets the attribute that a hovering pointer would set. */
const hover = (element: HTMLElement | null): void =>
  element?.querySelector('button')?.setAttribute('data-hovered', 'true');
const nothing = () => undefined;

const states = (
  label: string,
): { name: string; props: Partial<ButtonProps>; isFocused?: boolean; isHovered?: boolean }[] => [
  { name: 'rest', props: {} },
  { name: 'hover', props: {}, isHovered: true },
  { name: 'focus', props: {}, isFocused: true },
  { name: 'disabled', props: { isDisabled: true } },
  { name: 'pending', props: { isPending: true } },
  { name: 'icon', props: { icon: <Mic /> } },
  { name: 'large', props: { size: 'l' } },
  { name: 'long', props: { children: `${label} · `.repeat(6) } },
];

export function Buttons() {
  const { t } = useLingui();
  const label = t`Record`;
  return (
    <>
      {variants.map((variant) => (
        <Part key={variant} name={`controls/button, ${variant}`}>
          <States>
            {states(label).map(({ name, props, isFocused, isHovered }) => (
              <State key={name} name={name}>
                <span ref={isHovered ? hover : undefined} className={isFocused ? styles.focused : undefined}>
                  <Button variant={variant} onPress={nothing} {...props}>
                    {props.children ?? label}
                  </Button>
                </span>
              </State>
            ))}
          </States>
        </Part>
      ))}
      <Part name="controls/icon-button, link-button, link">
        <States>
          <State name="rest">
            <IconButton label={t`Add marker`} icon={<Flag />} onPress={nothing} />
          </State>
          <State name="hover">
            <span ref={hover}>
              <IconButton label={t`Add marker`} icon={<Flag />} onPress={nothing} />
            </span>
          </State>
          <State name="focus">
            <span className={styles.focused}>
              <IconButton label={t`Add marker`} icon={<Flag />} onPress={nothing} />
            </span>
          </State>
          <State name="on">
            <IconButton label={t`Add marker`} icon={<Flag />} pressed onPress={nothing} />
          </State>
          <State name="disabled">
            <IconButton label={t`Rename`} icon={<Pencil />} isDisabled onPress={nothing} />
          </State>
          <State name="large">
            <IconButton label={t`Rename`} icon={<Pencil />} size="l" variant="quiet" onPress={nothing} />
          </State>
          <State name="link that is a button">
            <LinkButton href="#" icon={<Download />}>{t`Download`}</LinkButton>
          </State>
          <State name="link">
            <Link href="#">{t`Library`}</Link>
          </State>
        </States>
      </Part>
    </>
  );
}
