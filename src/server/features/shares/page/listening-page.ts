import type { I18n } from '@lingui/core';
import { isFromFile } from '#base/recorded-time/recorded-time.ts';
import { replaceControlCharacters } from '#base/text.ts';
import { isPlayable } from '#contract/listening-page.ts';
import type { SharedRecording, ShareSettings } from '#contract/shares.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { markup, withHtml, type Html } from './html.ts';
import { controlTexts, factTexts, passwordTexts, waitingTexts } from './listening-texts.ts';
import { endTime, recordedDay } from './page-dates.ts';
import { renderDocument, renderEmbedded, type LinkPageFrame } from './page-document.ts';
import { passwordFields } from './notice-page.ts';
import { renderPlayer } from './player-parts.ts';
import { renderLists, userText } from './recording-parts.ts';

/** One open link, as its page shows it. */
export interface ListeningView extends LinkPageFrame {
  /** With those markers and notes that the page shows. */
  recording: SharedRecording;
  /** Where the labels that it does not show begin; null if it shows the last ones. */
  nextLabels: string | null;
  preview: ShareSettings['preview'];
  embed: ShareSettings['embed'];
  /** The origin of links, without a slash at the end. */
  shareOrigin: string;
  nowMs: number;
}

/** The title as plain text, for places that cannot isolate it. */
const plainTitle = (i18n: I18n, { title }: Pick<SharedRecording, 'title'>): string =>
  title === null ? factTexts(i18n).untitled : replaceControlCharacters(title, () => ' ');

/** The title in the language of the recording; a hidden one is replaced in the language of the page. */
function heading(i18n: I18n, { title, language }: SharedRecording): Html {
  if (title === null) return markup`<h1>${factTexts(i18n).untitled}</h1>`;
  const lang = language === null ? markup` lang=""` : markup` lang="${language}"`;
  return markup`<h1 dir="auto"${lang} translate="no">${title}</h1>`;
}

function facts(i18n: I18n, { owner, recordedTime }: SharedRecording): Html | null {
  const from =
    owner === null ? null : withHtml((slot) => i18n._('From {name}', { name: slot(0) }), [userText(owner)]);
  const recorded = recordedTime === null ? null : recordedDay(recordedTime, i18n.locale);
  const on =
    recorded &&
    withHtml(
      (slot) =>
        recordedTime !== null && isFromFile(recordedTime)
          ? i18n._('Recorded: {date} (from the file)', { date: slot(0) })
          : i18n._('Recorded: {date}', { date: slot(0) }),
      [recorded],
    );
  const items = [from, on].flatMap((fact) => (fact === null ? [] : [markup`<li>${fact}</li>`]));
  return items.length === 0 ? null : markup`<ul class="facts">${items}</ul>`;
}

function terms(i18n: I18n, { expiresAt }: SharedRecording, nowMs: number): Html {
  const end =
    expiresAt === null
      ? null
      : withHtml(
          (slot) => i18n._('This link is open until {date}.', { date: slot(0) }),
          [endTime(expiresAt, { locale: i18n.locale, nowMs })],
        );
  return markup`<p class="terms">${end} ${factTexts(i18n).counted}</p>`;
}

function waiting(i18n: I18n, { recording, linkPath }: ListeningView): Html {
  const { state } = recording;
  if (state === 'live' || state === 'complete') return markup``;
  const { title, text } = waitingTexts(i18n)[state];
  // The script loads the page again when there is something to play.
  return markup`<section class="notice" data-waiting="${linkPath}" data-state="${state}" aria-live="polite"><h2>${title}</h2><p>${text}</p></section>`;
}

/** The password may be needed again while the page is open. */
function unlockForm(i18n: I18n, linkPath: string): Html {
  const texts = passwordTexts(i18n);
  return markup`<form class="unlock" data-part="unlock" method="post" action="${linkPath}/unlock?lang=${i18n.locale}" hidden><h2>${texts.againTitle}</h2><p>${texts.againHint}</p>${passwordFields(i18n, { problem: null, autofocus: false })}</form>`;
}

const liveSign = (i18n: I18n, { state }: SharedRecording): Html | null =>
  state === 'live' ? markup`<p class="live" data-part="live">${controlTexts(i18n).live}</p>` : null;

/** Open Graph (ogp.me) and oEmbed discovery, only where the link allows them: messengers store previews. */
function previewTags(i18n: I18n, view: ListeningView): Html {
  const { recording, preview, embed, linkPath, shareOrigin } = view;
  const url = `${shareOrigin}${linkPath}`;
  const discovery =
    embed === null
      ? null
      : markup`<link rel="alternate" type="application/json+oembed" href="${shareOrigin}/oembed?url=${encodeURIComponent(url)}">`;
  if (preview === 'none') return markup`${discovery}`;
  const title = plainTitle(i18n, recording);
  const { owner } = recording;
  const description = owner === null ? '' : i18n._('From {name}', { name: owner });
  const sound =
    preview === 'sound'
      ? markup`<meta property="og:audio" content="${url}/audio"><meta property="og:audio:type" content="audio/ogg">`
      : null;
  return markup`${discovery}<meta property="og:type" content="music.song"><meta property="og:site_name" content="Earshot"><meta property="og:url" content="${url}"><meta property="og:title" content="${title}">${description !== '' && markup`<meta property="og:description" content="${description}">`}<meta property="og:image" content="${url}/card.png"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image">${sound}
`;
}

/** Whether the page has the form that starts a listen. The form for the password needs the script there. */
export const hasStartForm = ({ isCounted }: SharedRecording): boolean => isCounted;

/** Renders the listening page of an open link. It works without a script. */
export function renderListeningPage(view: ListeningView): string {
  const { recording, locale, linkPath, nextLabels, nowMs } = view;
  const i18n = serverI18n(locale.tag);
  const { message } = recording;
  const main = markup`<article>
<header class="about">${liveSign(i18n, recording)}${heading(i18n, recording)}${facts(i18n, recording)}${message !== '' && markup`<p class="message" dir="auto" translate="no">${message}</p>`}</header>
${isPlayable(recording) ? renderPlayer(i18n, { recording, linkPath, embed: null }) : waiting(i18n, view)}
${unlockForm(i18n, linkPath)}
${renderLists(i18n, { recording, linkPath, nextLabels })}
${terms(i18n, recording, nowMs)}
</article>`;
  return renderDocument(view, {
    title: `${plainTitle(i18n, recording)} · Earshot`,
    head: previewTags(i18n, view),
    main,
    hasScript: true,
    hasForm: hasStartForm(recording),
  });
}

/** Renders the player that other pages embed: title, player, and a link to the whole page. */
export function renderEmbeddedPlayer(view: ListeningView): string {
  const { recording, locale, linkPath, embed } = view;
  const i18n = serverI18n(locale.tag);
  const open = controlTexts(i18n).openPage;
  const link = markup`<a class="open" href="${linkPath}" target="_blank" rel="noopener noreferrer">${open}</a>`;
  const origins = Array.isArray(embed) ? embed : null;
  const content = isPlayable(recording)
    ? renderPlayer(i18n, { recording, linkPath, embed: { origins } })
    : waiting(i18n, view);
  return renderEmbedded(view, {
    title: plainTitle(i18n, recording),
    main: markup`<article><header class="about">${liveSign(i18n, recording)}${heading(i18n, recording)}${facts(i18n, recording)}</header>${content}${link}</article>`,
    hasScript: true,
    hasForm: false,
  });
}
