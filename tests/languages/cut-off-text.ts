import type { Page } from '@playwright/test';

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
type Report = (what: string) => void;

/** Whether the element is for screen readers only, or off-screen until it has the focus. */
function isHidden(element: Element): boolean {
  for (let node: Element | null = element; node; node = node.parentElement) {
    const { display, visibility, opacity, clipPath, position } = getComputedStyle(node);
    if (display === 'none' || visibility === 'hidden' || opacity === '0' || clipPath === 'inset(50%)')
      return true;
    if (position === 'fixed' && node.getBoundingClientRect().bottom <= 0) return true;
  }
  return false;
}

/** The part of the screen in which an element's content is visible. */
function visibleArea(element: Element): Box {
  const area: Box = {
    left: 0,
    right: document.documentElement.clientWidth,
    top: -Infinity,
    bottom: Infinity,
  };
  const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
  for (let node: Element | null = element; node && node !== document.body; node = node.parentElement) {
    const { display, overflowX, overflowY } = getComputedStyle(node);
    // It has no box that could clip.
    if (display === 'contents') continue;
    const box = node.getBoundingClientRect();
    if (clips(overflowX))
      Object.assign(area, { left: Math.max(area.left, box.left), right: Math.min(area.right, box.right) });
    if (clips(overflowY))
      Object.assign(area, { top: Math.max(area.top, box.top), bottom: Math.min(area.bottom, box.bottom) });
  }
  return area;
}

/** A text's box is as high as its font, and its letters are lower: four pixels above and below are empty. */
function isInside(inner: Box, outer: Box): boolean {
  return (
    inner.left >= outer.left - 1.5 &&
    inner.right <= outer.right + 1.5 &&
    inner.top >= outer.top - 4 &&
    inner.bottom <= outer.bottom + 4
  );
}

function isAway(inner: Box, outer: Box): boolean {
  return (
    inner.right <= outer.left + 1.5 ||
    inner.left >= outer.right - 1.5 ||
    inner.bottom <= outer.top + 4 ||
    inner.top >= outer.bottom - 4
  );
}

function checkWords(control: Element, report: Report): void {
  const { left, right } =
    getComputedStyle(control).display === 'inline'
      ? { left: -Infinity, right: Infinity }
      : control.getBoundingClientRect();
  const hasPicture = control.querySelector('svg, i') !== null;
  const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (
      !parent ||
      parent.closest('bdi, option') ||
      texts.currentNode.textContent?.trim() === '' ||
      isHidden(parent)
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const area = visibleArea(parent);
    const available = { ...area, left: Math.max(area.left, left), right: Math.min(area.right, right) };
    const cut = [...range.getClientRects()].find(
      (box) => !(hasPicture && isAway(box, area)) && !isInside(box, available),
    );
    if (cut)
      report(
        `<${control.localName}> “${control.textContent?.trim().slice(0, 60)}” at ${Math.round(cut.left)}–${Math.round(cut.right)} in ${Math.round(available.left)}–${Math.round(available.right)}`,
      );
  }
}

/** The text in the single line of a field, except a microphone's name, which is no text of the interface. */
function wordsOnLine(field: HTMLInputElement | HTMLSelectElement): string {
  if (field instanceof HTMLInputElement) return field.placeholder;
  const option = field.selectedOptions[0];
  return option === undefined || option.dir === 'auto' ? '' : option.text;
}

function checkLine(field: HTMLInputElement | HTMLSelectElement, report: Report): void {
  const words = wordsOnLine(field);
  const pen = document.createElement('canvas').getContext('2d');
  const { fontStyle, fontWeight, fontSize, fontFamily, whiteSpace } = getComputedStyle(
    field,
    field instanceof HTMLInputElement ? '::placeholder' : null,
  );
  if (!pen || words === '' || (field instanceof HTMLSelectElement && whiteSpace !== 'nowrap')) return;
  pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  const { paddingLeft, paddingRight } = getComputedStyle(field);
  const availablePx = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const neededPx = pen.measureText(words).width;
  if (neededPx > availablePx + 1.5)
    report(`<${field.localName}> “${words}” needs ${Math.round(neededPx)} of ${Math.round(availablePx)}`);
}

function checkPage(report: Report): void {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return;
  const tooWide = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < 0 || right > clientWidth) && !isHidden(element);
  });
  report(
    `the page is ${scrollWidth} wide in ${clientWidth}: ${tooWide
      .slice(-2)
      .map((element) => element.outerHTML.slice(0, 160))
      .join(' and ')}`,
  );
}

function checkScreen(): string[] {
  const found = new Set<string>();
  const report: Report = (what) => {
    found.add(what);
  };
  checkPage(report);
  for (const control of document.querySelectorAll(
    'button, a, label, summary, legend, h1, h2, h3, [role=tab], [role=option], [role=radio], [role=switch], [role=status], [role=alert]',
  )) {
    if (!isHidden(control)) checkWords(control, report);
  }
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
    if (!isHidden(field) && field.getBoundingClientRect().width > 1) checkLine(field, report);
  }
  return [...found];
}

const inThePage = [
  isHidden,
  visibleArea,
  isInside,
  isAway,
  checkWords,
  wordsOnLine,
  checkLine,
  checkPage,
  checkScreen,
]
  .map(String)
  .join('\n');

/**
 * Describes every text on the screen that is cut off, and a page wider than the window; empty if there is none. A
 * text must be inside its control, the window and every box that clips it. Beside an icon in the same control it
 * may also be hidden entirely. User-entered text (`bdi`) may end in an ellipsis, because it can have any length.
 */
export async function cutOffText(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {${inThePage}\nreturn checkScreen(); })()`);
}
