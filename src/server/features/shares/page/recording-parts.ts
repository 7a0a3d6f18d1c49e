import type { I18n } from '@lingui/core';
import { minute } from '#base/duration.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { listedGaps, type ListedGap } from '#contract/gap-summary.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { markup, type Html } from './html.ts';
import { downloadIcon } from './icons.ts';
import { factTexts, gapTexts, stretchText } from './listening-texts.ts';
import { audioPathAt } from './player-parts.ts';

interface Listed {
  recording: SharedRecording;
  linkPath: string;
}

interface LabelledPage extends Listed {
  /** Where the labels begin that this page does not show; null if it shows the last ones. */
  nextLabels: string | null;
}

/** A text by a user: isolated, in its own direction, and never changed by a browser's translation. */
export const userText = (text: string): Html => markup`<bdi translate="no">${text}</bdi>`;

const timecode = (atMs: number): Html => markup`<bdi dir="ltr">${formatTimecode(atMs)}</bdi>`;

/** A time as a link: without the script it opens the audio there, with it the player goes there. */
const momentLink = (listed: Listed, atMs: number): Html =>
  markup`<a class="moment" href="${audioPathAt(listed, atMs)}" data-seek-ms="${atMs}">${timecode(atMs)}</a>`;

const section = (heading: string, list: Html, name: 'markers' | 'notes' | null = null): Html =>
  markup`<section class="part"${name !== null && markup` data-part="${name}"`}><h2>${heading}</h2>${list}</section>`;

function markerList(i18n: I18n, listed: Listed): Html | null {
  const { markers } = listed.recording;
  const texts = factTexts(i18n);
  if (markers.length === 0) return null;
  const items = markers.map(({ atMs, label, colour }) => {
    const name = label === '' ? markup`<span class="unnamed">${texts.unnamedMoment}</span>` : userText(label);
    return markup`<li><a class="row" href="${audioPathAt(listed, atMs)}" data-seek-ms="${atMs}" data-marker="${colour}"><span class="moment">${timecode(atMs)}</span><span class="name">${name}</span></a></li>`;
  });
  return section(texts.moments, markup`<ol class="rows">${items}</ol>`, 'markers');
}

function noteList(i18n: I18n, listed: Listed): Html | null {
  const { notes } = listed.recording;
  if (notes.length === 0) return null;
  const items = notes.map(
    ({ fromMs, text }) => markup`<li>${momentLink(listed, fromMs)}<p class="note">${userText(text)}</p></li>`,
  );
  return section(factTexts(i18n).notes, markup`<ol class="notes">${items}</ol>`, 'notes');
}

/** Creating a formatter takes longer than using it for all gaps of a recording. */
const lengthFormats = new Map<string, Intl.NumberFormat>();

function lengthFormat(locale: string, unit: 'millisecond' | 'second'): Intl.NumberFormat {
  const key = `${locale} ${unit}`;
  const known = lengthFormats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: unit === 'millisecond' ? 0 : 1,
  });
  lengthFormats.set(key, format);
  return format;
}

/** 4.2 seconds, 30 milliseconds, 12:30: lengths in words only where they need no agreement with other words. */
function gapLength(durationMs: number, locale: string): string {
  if (durationMs >= minute) return formatTimecode(durationMs);
  // A gap is never 0 seconds long.
  const isShort = durationMs < 100;
  return lengthFormat(locale, isShort ? 'millisecond' : 'second').format(
    isShort ? durationMs : durationMs / 1000,
  );
}

function lengthText(i18n: I18n, { missingMs, pieces, untilMs }: ListedGap): string {
  const length = gapLength(missingMs, i18n.locale);
  return pieces.length === 1
    ? length
    : stretchText(i18n, { length, until: `\u2066${formatTimecode(untilMs)}\u2069` });
}

function gapList(i18n: I18n, listed: Listed): Html | null {
  const { gaps } = listed.recording;
  const causes = gapTexts(i18n);
  if (gaps.length === 0) return null;
  const items = listedGaps(gaps).map((gap) => {
    const { atMs, cause, pieces } = gap;
    const drawn = pieces.map(
      (piece) =>
        markup`<span hidden data-gap-ms="${piece.atMs}" data-length-ms="${piece.durationMs}"></span>`,
    );
    return markup`<li>${drawn}${momentLink(listed, atMs)}<span class="name">${causes[cause]} <span class="length">${lengthText(i18n, gap)}</span></span></li>`;
  });
  return section(factTexts(i18n).gaps, markup`<ol class="gaps">${items}</ol>`);
}

/** A passage is drawn as a gap, which it is for listeners. */
function offRecordList(i18n: I18n, listed: Listed): Html | null {
  const { offRecord } = listed.recording;
  if (offRecord.length === 0) return null;
  const items = offRecord.map(
    ({ atMs, durationMs }) =>
      markup`<li data-gap-ms="${atMs}" data-length-ms="${durationMs}" data-off-record>${momentLink(listed, atMs)}<span class="length">${gapLength(durationMs, i18n.locale)}</span></li>`,
  );
  return section(factTexts(i18n).offRecord, markup`<ol class="gaps">${items}</ol>`);
}

/** Names of file formats are the same in every language. */
const formatNames = { ogg: 'Ogg Opus', m4a: 'M4A', mp3: 'MP3', wav: 'WAV', flac: 'FLAC' } as const;

function downloadList(i18n: I18n, { recording, linkPath }: Listed): Html | null {
  const { downloads } = recording;
  const texts = factTexts(i18n);
  if (downloads.length === 0) return null;
  const items = downloads.map((format) => {
    const name =
      format === 'original'
        ? markup`${texts.originalFile}`
        : markup`<span dir="ltr" translate="no">${formatNames[format]}</span>`;
    return markup`<li><a class="quiet" href="${linkPath}/download?format=${format}" download>${downloadIcon}${name}</a></li>`;
  });
  return section(texts.downloads, markup`<ul class="downloads">${items}</ul>`);
}

/** A link to the labels that this page does not show. The script loads them into the lists. */
const moreLabels = (i18n: I18n, { linkPath, nextLabels }: LabelledPage): Html | null =>
  nextLabels === null
    ? null
    : markup`<p data-part="more"><a class="quiet" href="${linkPath}?lang=${i18n.locale}&amp;after=${nextLabels}" rel="next">${factTexts(i18n).more}</a></p>`;

/** Everything below the player that the link shows. */
export const renderLists = (i18n: I18n, listed: LabelledPage): Html =>
  markup`${markerList(i18n, listed)}${noteList(i18n, listed)}${moreLabels(i18n, listed)}${gapList(i18n, listed)}${offRecordList(i18n, listed)}${downloadList(i18n, listed)}`;
