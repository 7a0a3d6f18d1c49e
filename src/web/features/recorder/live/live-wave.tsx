import { useEffect, useEffectEvent, useRef } from 'react';
import { classes } from '#web/ui/classes.ts';
import { peaksFormat } from '#contract/limits.ts';
import { mutedSpansOf, type MutedSpan } from '#web/features/recorder/labels/listener-mute.ts';
import type { TakeMarker, TakePassage } from '#device/records/take-record.ts';
import { drawLiveWave, easeHead, type LiveWaveView } from './draw-live-wave.ts';
import type { LivePeaks } from './live-peaks.ts';
import { useAnimation } from './use-animation.ts';
import styles from './live.module.css';

export interface LiveWaveProps {
  peaks: Pick<LivePeaks, 'count' | 'loudest' | 'isGap'>;
  /** Whether audio is being captured: the wave moves and is red. */
  isLive: boolean;
  /** Whether the sound is measured. If not, nothing is drawn but the markers: a flat wave would look like silence. */
  isMeasured?: boolean;
  markers?: readonly TakeMarker[];
  /** The passages that listeners don't hear. */
  passages?: readonly TakePassage[];
  size?: 'screen' | 'bar';
}

const none: readonly TakeMarker[] = [];
const nonePassages: readonly TakePassage[] = [];

const msOfPoint = (point: number): number => (point * 1000) / peaksFormat.pointsPerSecond;

/** Whether any of the points `from` ≤ i < `to` is in one of the parts. */
const isInside = (spans: readonly MutedSpan[], from: number, to: number): boolean =>
  spans.some(({ fromMs, toMs }) => fromMs < msOfPoint(to) && (toMs ?? Infinity) > msOfPoint(from));

/** With reduced motion the wave moves twice a second. */
const calmStepMs = 500;
const prefersCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Reads the colours from CSS properties of the canvas, where the browser has resolved the design tokens for theme
 * and contrast.
 */
function coloursOf(canvas: HTMLCanvasElement): LiveWaveView['colours'] {
  const { color, caretColor, textDecorationColor } = getComputedStyle(canvas);
  return { live: color, quiet: caretColor, marker: textDecorationColor };
}

/** Resizes the bitmap to the element's size and the screen's pixel density. */
function fit(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const width = Math.round(canvas.clientWidth * devicePixelRatio);
  const height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  context?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  return context;
}

/**
 * The last seconds of the take, growing from the right edge. It is decorative, because the same information is
 * available as text.
 */
export function LiveWave({
  peaks,
  isLive,
  isMeasured = true,
  markers = none,
  passages = nonePassages,
  size = 'screen',
}: LiveWaveProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const head = useRef(0);
  const calmWait = useRef(0);

  const draw = () => {
    const canvas = ref.current;
    const context = canvas ? fit(canvas) : null;
    if (!canvas || !context) return;
    const muted = mutedSpansOf(passages);
    drawLiveWave(context, {
      widthPx: canvas.clientWidth,
      heightPx: canvas.clientHeight,
      head: head.current,
      isLive,
      isMeasured,
      loudest: peaks.loudest,
      isGap: peaks.isGap,
      isMuted: (from, to) => isInside(muted, from, to),
      markersMs: markers.map(({ atMs }) => atMs),
      colours: coloursOf(canvas),
    });
  };
  const drawStill = useEffectEvent(() => {
    head.current = peaks.count();
    draw();
  });

  useAnimation(isLive, (elapsedMs) => {
    if (prefersCalm()) {
      calmWait.current -= elapsedMs;
      if (calmWait.current > 0) return;
      calmWait.current = calmStepMs;
      head.current = peaks.count();
    } else {
      head.current = easeHead(head.current, peaks.count(), elapsedMs);
    }
    draw();
  });

  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return undefined;
    // The observer also reports the initial size, after layout. Drawing here would force a separate layout.
    const resized = new ResizeObserver(() => {
      drawStill();
    });
    resized.observe(canvas);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const themed = new MutationObserver(() => {
      drawStill();
    });
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    scheme.addEventListener('change', drawStill);
    return () => {
      resized.disconnect();
      themed.disconnect();
      scheme.removeEventListener('change', drawStill);
    };
  }, [isLive, isMeasured, markers, passages]);

  return (
    <canvas
      ref={ref}
      aria-hidden
      dir="ltr"
      className={classes(styles.wave, size === 'bar' && styles.small)}
    />
  );
}
