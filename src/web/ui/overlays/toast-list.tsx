import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { Text } from 'react-aria-components/Text';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from 'react-aria-components/Toast';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import buttonStyles from '#web/ui/controls/button.module.css';
import { toastQueue } from './toast-queue.ts';
import styles from './toast.module.css';

const icons = { plain: null, danger: <CircleAlert aria-hidden />, success: <CircleCheck aria-hidden /> };

/**
 * React Aria makes a toast an alert, which interrupts. Here a toast waits until the screen reader has finished its
 * sentence.
 */
const politely = { role: 'group', 'aria-live': 'polite' } as const;

const focusOnce = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

export function ToastList() {
  const { t } = useLingui();
  return (
    <AriaToastRegion queue={toastQueue} className={classes(styles.region)}>
      {({ toast }) => {
        const { message, tone = 'plain', action, secondAction, takesFocus = false } = toast.content;
        return (
          <AriaToast
            toast={toast}
            ref={takesFocus ? focusOnce : undefined}
            className={classes(styles.toast, styles[tone], secondAction && styles.two)}
          >
            {icons[tone]}
            <ToastContent {...politely} className={classes(styles.content)}>
              <Text slot="title">{message()}</Text>
            </ToastContent>
            {[action, secondAction].map(
              (each) =>
                each && (
                  <Button
                    key={each.label()}
                    variant="plain"
                    className={styles.action}
                    onPress={() => {
                      each.onAction();
                      toastQueue.close(toast.key);
                    }}
                  >
                    {each.label()}
                  </Button>
                ),
            )}
            <AriaButton
              slot="close"
              aria-label={t`Close`}
              className={classes(buttonStyles.button, buttonStyles.icon, styles.close)}
            >
              <X aria-hidden />
            </AriaButton>
          </AriaToast>
        );
      }}
    </AriaToastRegion>
  );
}
