import { lookAtEarlyAnswer } from '#web/api/reach/early-answers.ts';
import { dateTimeStyle } from '#web/i18n/date-time-style.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';

/** What is read of a recording (the contract's `Recording`). */
interface Said { id: string; title: string; startedAt: string }

/** More than any window shows before it is scrolled. */
const mostRows = 20;

function isSaid(value: unknown): value is Said {
  return typeof value === 'object' && value !== null && 'id' in value && 'title' in value && 'startedAt' in value && [value.id, value.title, value.startedAt].every((part) => typeof part === 'string');
}

/** The recordings of an answer: of a list, or of one. */
function saidIn(answer: unknown): Said[] {
  const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : [answer];
  return Array.isArray(items) ? items.filter(isSaid).slice(0, mostRows) : [];
}

function written(sample: Element, { id, title, startedAt }: Said, format: Intl.DateTimeFormat): Element {
  const drawn = sample.cloneNode(true) as Element;
  drawn.querySelector('[id]')?.removeAttribute('id');
  drawn.querySelector('a')?.setAttribute('href', `/recordings/${id}`);
  drawn.querySelector('bdi')?.replaceChildren(title);
  drawn.querySelector('time')?.replaceChildren(format.format(new Date(startedAt)));
  return drawn;
}

/** Where recordings stand in a picture, and what one of them looks like there; null where the picture shows none. */
function placeIn(picture: HTMLElement): { place: Element; drawing: Element } | null {
  const place = picture.querySelector('[data-early]');
  const drawing = picture.querySelector('template')?.content.firstElementChild;
  return place && drawing ? { place, drawing } : null;
}

/** Puts recordings into the page's picture, in the place of what stands for them. */
function fillPicture(recordings: readonly Said[]): void {
  const picture = document.querySelector<HTMLElement>('[data-stand-in]');
  const found = picture && placeIn(picture);
  if (!found || recordings.length === 0) return;
  const { place, drawing } = found;
  const row = drawing.querySelector('li');
  const format = new Intl.DateTimeFormat(regionalLocale(document.documentElement.lang), dateTimeStyle);
  const all = recordings.map((recording) => written(row ?? drawing, recording, format));
  // Rows stand in their list; a title is all there is.
  row?.replaceWith(...all);
  place.replaceWith(...(row ? [drawing] : all));
  picture.dataset['filled'] = '';
}

/** Writes into the picture what the page shows of a person's, as soon as the server has said it: the program that draws it comes later. */
export async function fillPictureEarly(addresses: readonly string[]): Promise<void> {
  const answers = await Promise.all(addresses.filter((address) => address.startsWith('/api/')).map(async (address) => {
    const answer = await lookAtEarlyAnswer(address);
    return answer?.ok === true ? saidIn(await answer.json()) : [];
  }));
  fillPicture(answers.flat());
}
