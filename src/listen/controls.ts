import { hour, minute, second } from '#base/duration.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import type { ListeningTexts } from '#contract/listening-page.ts';
import { connectMediaSession } from '#playback/media-session.ts';
import type { PlayerParts } from './page-parts.ts';
import type { Playback } from './playback.ts';

/** As in the app (`skip-seconds.ts`). */
const skipMs = 15 * second;

/** Keys of the slider. Time runs to the right in every language. */
const sliderKeys: Readonly<Record<string, (playback: Playback) => number>> = {
  ArrowLeft: ({ positionMs }) => positionMs - 5 * second,
  ArrowRight: ({ positionMs }) => positionMs + 5 * second,
  ArrowDown: ({ positionMs }) => positionMs - 5 * second,
  ArrowUp: ({ positionMs }) => positionMs + 5 * second,
  PageDown: ({ positionMs }) => positionMs - minute,
  PageUp: ({ positionMs }) => positionMs + minute,
  Home: () => 0,
  End: ({ durationMs }) => durationMs,
};

const unitFormats = new Map<string, Intl.NumberFormat>();

/** The format of a unit, created once: constructors of Intl are slow, and the position changes several times a second. */
function unitFormat(unit: string, locale: string): Intl.NumberFormat {
  const known = unitFormats.get(unit);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  unitFormats.set(unit, format);
  return format;
}

/** 2 minutes 20 seconds, for screen readers. */
function spokenLength(ms: number, locale: string): string {
  const parts: [number, string][] = [
    [Math.floor(ms / hour), 'hour'],
    [Math.floor(ms / minute) % 60, 'minute'],
    [Math.floor(ms / second) % 60, 'second'],
  ];
  const shown = parts.filter(([value, unit]) => value > 0 || (unit === 'second' && ms < minute));
  return shown.map(([value, unit]) => unitFormat(unit, locale).format(value)).join(' ');
}

function bindSlider(wave: HTMLElement, playback: Playback): void {
  const seekTo = ({ clientX }: PointerEvent) => {
    const { left, width } = wave.getBoundingClientRect();
    playback.seek(((clientX - left) / width) * playback.durationMs);
  };
  wave.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    wave.setPointerCapture(event.pointerId);
    seekTo(event);
  });
  wave.addEventListener('pointermove', (event) => {
    if (wave.hasPointerCapture(event.pointerId)) seekTo(event);
  });
  wave.addEventListener('keydown', (event) => {
    const target = event.ctrlKey || event.altKey || event.metaKey ? undefined : sliderKeys[event.key];
    if (!target) return;
    event.preventDefault();
    playback.seek(target(playback));
  });
}

/** Space plays and the arrows skip, unless they mean something to the control that has the focus. */
function bindKeys(playback: Playback): void {
  const keys: Readonly<Record<string, () => void>> = {
    ' ': () => playback.toggle(),
    ArrowLeft: () => playback.skip(-skipMs),
    ArrowRight: () => playback.skip(skipMs),
  };
  document.addEventListener('keydown', (event) => {
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (event.defaultPrevented || hasModifier || event.target !== document.body) return;
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  });
}

/** Connects the buttons, the slider, the keys and the lists of the page with playback. */
export function bindControls(parts: PlayerParts, playback: Playback): void {
  parts.play.addEventListener('click', () => playback.toggle());
  parts.back.addEventListener('click', () => playback.skip(-skipMs));
  parts.forward.addEventListener('click', () => playback.skip(skipMs));
  parts.speed.addEventListener('change', () => playback.setSpeed(Number(parts.speed.value)));
  parts.retry.addEventListener('click', () => playback.play());
  bindSlider(parts.wave, playback);
  bindKeys(playback);
  connectMediaSession(playback.store, playback, { skipMs });
  // Further parts of long lists are added later.
  document.addEventListener('click', (event) => {
    const element = event.target instanceof Element ? event.target.closest('[data-seek-ms]') : null;
    if (element === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    playback.seek(Number(element.getAttribute('data-seek-ms')));
    playback.play();
  });
}

/** Writes a text where it is another one. */
export const setText = (element: HTMLElement, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

function statusOf(playback: Playback, { texts, notice, isPreparing, isPlayableLater }: Messages): string {
  if (playback.isUnplayable) return isPlayableLater ? texts.unplayableLive : texts.unplayable;
  if (playback.isResuming) return texts.reconnecting;
  if (playback.isFailed) return texts.failed;
  if (playback.isWaiting) return isPreparing ? texts.preparing : texts.loading;
  return notice;
}

interface Messages {
  texts: ListeningTexts;
  /** Shown while there is nothing else to say. */
  notice: string;
  /** Whether the server is making the format that this browser plays. */
  isPreparing: boolean;
  /** Whether a live recording that this browser cannot play has another format once it is complete. */
  isPlayableLater: boolean;
}

/** Shows the state of playback in the controls. */
export function showPlayback(parts: PlayerParts, playback: Playback, messages: Messages): void {
  const { texts } = messages;
  const { positionMs, durationMs, isRunning } = playback;
  const { lang } = document.documentElement;
  setText(parts.position, formatTimecode(positionMs));
  setText(parts.length, formatTimecode(durationMs));
  parts.play.classList.toggle('running', isRunning);
  parts.play.classList.toggle('waiting', playback.isWaiting);
  parts.play.setAttribute('aria-label', isRunning ? texts.pause : texts.play);
  parts.play.disabled = playback.isUnplayable;
  parts.wave.setAttribute('aria-valuemax', String(Math.round(durationMs)));
  parts.wave.setAttribute('aria-valuenow', String(Math.round(positionMs)));
  const [position, length] = [positionMs, durationMs].map((ms) => spokenLength(ms, lang));
  parts.wave.setAttribute(
    'aria-valuetext',
    texts.place.replace('{position}', position ?? '').replace('{length}', length ?? ''),
  );
  setText(parts.status, statusOf(playback, messages));
  parts.retry.hidden = !playback.isFailed || playback.isUnplayable;
}
