import { useEffect, useState } from 'react';
import styles from './tooltip.module.css';

interface Tip {
  owner: Element;
  text: string;
  centrePx: number;
  edgePx: number;
  isBelow: boolean;
}

const tipHeightPx = 44;
const edgeSpacePx = 8;

function tipOf(target: EventTarget | null): Tip | null {
  const owner = target instanceof Element ? target.closest('[data-tooltip]') : null;
  const text = owner?.getAttribute('data-tooltip');
  if (!owner || !text || owner.getAttribute('aria-expanded') === 'true') return null;
  const box = owner.getBoundingClientRect();
  const isBelow = box.top < tipHeightPx;
  return { owner, text, centrePx: box.left + box.width / 2, edgePx: isBelow ? box.bottom : box.top, isBelow };
}

/** Moves a tooltip that would extend beyond the side of the window back in. */
function clampInside(element: HTMLElement | null, { centrePx }: Tip): void {
  if (!element) return;
  const furthestPx = innerWidth - edgeSpacePx - element.offsetWidth / 2;
  const nearestPx = edgeSpacePx + element.offsetWidth / 2;
  element.style.setProperty('--tip-centre', `${Math.max(nearestPx, Math.min(centrePx, furthestPx))}px`);
}

/**
 * One tooltip for the whole page, for every element with `data-tooltip`. It repeats an accessible name, so it is
 * hidden from screen readers. It appears on hover or keyboard focus, and closes with Escape (WCAG 1.4.13) or a
 * press.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    const scope = new AbortController();
    const options = { signal: scope.signal, passive: true, capture: true };
    const hide = () => setTip(null);
    document.addEventListener(
      'pointerover',
      (event) => {
        if (event.pointerType === 'mouse') setTip(tipOf(event.target));
      },
      options,
    );
    document.addEventListener(
      'focusin',
      (event) =>
        setTip(
          event.target instanceof Element && event.target.matches(':focus-visible')
            ? tipOf(event.target)
            : null,
        ),
      options,
    );
    document.addEventListener('focusout', hide, options);
    document.addEventListener('pointerdown', hide, options);
    document.addEventListener('scroll', hide, options);
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape' || event.key === 'Enter' || event.key === ' ') hide();
      },
      options,
    );
    return () => scope.abort();
  }, []);
  const owner = tip?.owner;
  useEffect(() => {
    if (!owner) return;
    // The control's name or the page's language changed while the tooltip is open.
    const observer = new MutationObserver(() => setTip(tipOf(owner)));
    observer.observe(owner, { attributeFilter: ['data-tooltip'] });
    return () => observer.disconnect();
  }, [owner]);
  if (!tip) return null;
  const position = { '--tip-edge': `${tip.edgePx}px` };
  return (
    <div
      key={tip.text}
      ref={(element) => clampInside(element, tip)}
      aria-hidden="true"
      data-below={tip.isBelow || undefined}
      className={styles.tip}
      style={position}
    >
      {tip.text}
    </div>
  );
}
