import { Cpu, FileX, HardDrive, Lock, Mic, MicOff, Unplug, UserX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import type { CaptureErrorReason } from '#web/features/recorder/capture/capture-error.ts';
import { PermissionSteps } from './permission-steps.tsx';
import styles from './permission.module.css';

export interface CaptureErrorPanelProps {
  reason: CaptureErrorReason;
  onRetry: () => void;
  onLeave: () => void;
}

interface Help {
  icon: LucideIcon;
  title: ReactNode;
  body: ReactNode;
  steps?: ReactNode;
}

/** Why a take could not be continued. */
const notContinued: Readonly<Record<'not-yours' | 'recording-elsewhere' | 'recording-gone', Help>> = {
  'not-yours': {
    icon: UserX,
    title: <Trans>This recording belongs to another account</Trans>,
    body: <Trans>Sign in to that account to continue it. Nothing was recorded.</Trans>,
  },
  'recording-elsewhere': {
    icon: Mic,
    title: <Trans>This recording is running in another tab</Trans>,
    body: <Trans>Go to that tab, or stop the recording there and try again. Nothing is lost.</Trans>,
  },
  'recording-gone': {
    icon: FileX,
    title: <Trans>This recording is no longer on this device</Trans>,
    body: <Trans>The recording was deleted, so it can’t be continued. You can start a new one.</Trans>,
  },
};

function helpFor(reason: CaptureErrorReason): Help {
  switch (reason) {
    case 'microphone-refused':
      return {
        icon: MicOff,
        title: <Trans>The microphone is blocked</Trans>,
        body: (
          <Trans>
            Your browser doesn’t let Earshot use the microphone. You can change that at any time. Earshot only
            uses it while you record.
          </Trans>
        ),
        steps: <PermissionSteps />,
      };
    case 'microphone-missing':
      return {
        icon: Unplug,
        title: <Trans>No microphone found</Trans>,
        body: (
          <Trans>
            Connect a microphone or headset, or turn on the built-in one, then try again. Some computers don’t
            have one.
          </Trans>
        ),
      };
    case 'microphone-busy':
      return {
        icon: Mic,
        title: <Trans>Another app is using the microphone</Trans>,
        body: (
          <Trans>
            Close the call or app that’s using it, or choose another microphone below, then try again. If
            nothing else is using it, unplug it and plug it back in.
          </Trans>
        ),
      };
    case 'insecure-page':
      return {
        icon: Lock,
        title: <Trans>This page isn’t secure</Trans>,
        body: (
          <Trans>
            Browsers only allow the microphone on secure pages. Open this page with an address that starts
            with https, or ask the person who runs this server.
          </Trans>
        ),
      };
    case 'storage-refused':
      return {
        icon: HardDrive,
        title: <Trans>Your browser doesn’t let Earshot save recordings</Trans>,
        body: (
          <Trans>
            Earshot saves every second on this device first, and your browser doesn’t allow that. Allow this
            site to store data in the browser’s settings or leave the private window, then try again. If you
            sign in, recordings can go straight to the server instead.
          </Trans>
        ),
      };
    case 'storage-full':
      return {
        icon: HardDrive,
        title: <Trans>This device is full</Trans>,
        body: (
          <Trans>
            There’s no space left for a recording. Free up space on this device or delete recordings in the
            trash, then try again.
          </Trans>
        ),
      };
    case 'encoder-missing':
      return {
        icon: Cpu,
        title: <Trans>This browser can’t record yet</Trans>,
        body: (
          <Trans>
            Your browser doesn’t have the audio encoder Earshot needs. Current versions of Chrome, Edge,
            Firefox and Safari on a computer do.
          </Trans>
        ),
      };
    case 'not-yours':
    case 'recording-elsewhere':
    case 'recording-gone':
      return notContinued[reason];
    case 'internal':
      return {
        icon: Cpu,
        title: <Trans>Couldn’t start recording</Trans>,
        body: (
          <Trans>
            No sound came from this device. Close other apps that use audio or reload this page, then try
            again. Nothing was lost, because recording hadn’t started.
          </Trans>
        ),
      };
  }
}

const focusOnArrival = (heading: HTMLHeadingElement | null) => {
  heading?.focus();
};

/**
 * Why recording could not start, and what to do. Its heading takes the focus, because the pressed button no longer
 * exists.
 */
export function CaptureErrorPanel({ reason, onRetry, onLeave }: CaptureErrorPanelProps) {
  const { icon: Icon, title, body, steps } = helpFor(reason);
  return (
    <section className={styles.panel} aria-labelledby="error-title">
      <span aria-hidden className={styles.icon}>
        <Icon />
      </span>
      <h2 id="error-title" ref={focusOnArrival} tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      <p className={styles.body}>{body}</p>
      {steps}
      <div className={styles.actions}>
        <Button variant="primary" size="l" onPress={onRetry}>
          <Trans>Try again</Trans>
        </Button>
        <Button variant="plain" size="l" onPress={onLeave}>
          <Trans>Not now</Trans>
        </Button>
      </div>
    </section>
  );
}
