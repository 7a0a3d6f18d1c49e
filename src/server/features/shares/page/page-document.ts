import { locales, type ShippedLocale } from '#contract/locales.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { markup, type Html } from './html.ts';
import { languageIcon, markIcon, markUrl } from './icons.ts';
import { factTexts } from './listening-texts.ts';
import type { ListeningFiles } from './listening-files.ts';
import { referrerPolicyOf } from './page-headers.ts';

/** What every page of a link needs besides its content. */
export interface LinkPageFrame {
  locale: ShippedLocale;
  files: ListeningFiles;
  /** `/s/<token>`, to which the language links lead. */
  linkPath: string;
  /** The address of the app. */
  homeUrl: string;
}

interface PageContent {
  /** In the page's tab. */
  title: string;
  /** Further elements of the head. */
  head?: Html;
  main: Html;
  /** Whether the page needs the script. */
  hasScript: boolean;
  /** Whether a form of the page works without a script. */
  hasForm: boolean;
}

/** Everything stands in the page, because its address may be the only one that a gateway in front lets through. */
function headOf({ files }: LinkPageFrame, { title, head, hasForm }: PageContent): Html {
  return markup`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title}</title>
<meta name="robots" content="noindex, nofollow, noarchive, nosnippet">
<meta name="referrer" content="${referrerPolicyOf({ hasForm })}">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${markUrl}">
${head ?? null}${files.style}`;
}

/** The languages as links, which need no script. */
function languageMenu({ locale, linkPath }: LinkPageFrame): Html {
  const i18n = serverI18n(locale.tag);
  const links = locales.map(({ tag, autonym, dir }) => {
    const current = tag === locale.tag ? markup` aria-current="true"` : null;
    return markup`<li><a href="${linkPath}?lang=${tag}" hreflang="${tag}" lang="${tag}"${current}><bdi dir="${dir}">${autonym}</bdi></a></li>`;
  });
  return markup`<details class="languages"><summary><span class="visually-hidden">${factTexts(i18n).language}: </span>${languageIcon}<span lang="${locale.tag}" translate="no">${locale.autonym}</span></summary><ul translate="no">${links}</ul></details>`;
}

/** Renders a page of a link: the sign, the language menu, and the content. */
export function renderDocument(frame: LinkPageFrame, content: PageContent): string {
  const { locale, files, homeUrl } = frame;
  const shared = factTexts(serverI18n(locale.tag)).sharedWith;
  return markup`<!doctype html>
<html lang="${locale.tag}" dir="${locale.dir}">
<head>
${headOf(frame, content)}
</head>
<body>
<header class="top"><a class="brand" href="${homeUrl}" translate="no">${markIcon}Earshot</a>${languageMenu(frame)}</header>
<main>${content.main}</main>
<footer><a href="${homeUrl}">${shared}</a></footer>
${content.hasScript && files.script}
</body>
</html>
`.text;
}

/** Renders the document of the embedded player, which has no header, footer or menu. */
export function renderEmbedded(frame: LinkPageFrame, content: PageContent): string {
  const { locale, files } = frame;
  return markup`<!doctype html>
<html lang="${locale.tag}" dir="${locale.dir}" class="embedded">
<head>
${headOf(frame, content)}
</head>
<body>
<main>${content.main}</main>
${content.hasScript && files.script}
</body>
</html>
`.text;
}
