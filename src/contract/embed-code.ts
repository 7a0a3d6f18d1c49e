import { escapeHtml } from '#base/escape-html.ts';

/** The size of the embedded player in pixels, as far as the page around it leaves the choice. */
const defaultWidth = 640;
const minWidth = 240;
/** Below this width, titles and facts take more lines. */
const narrowWidth = 480;
const heights = { wide: 290, narrow: 340 } as const;

export interface EmbedOptions {
  /** The title of the recording; null where the link shows none. */
  title?: string | null;
  /** The largest size in pixels. */
  maxWidth?: number | undefined;
  maxHeight?: number | undefined;
}

/**
 * The HTML that shows the player of a link on another website, with its size in pixels.
 * @param linkUrl the address of the link, `…/s/<token>`
 */
export function embedCode(
  linkUrl: string,
  { title = null, maxWidth = defaultWidth, maxHeight = Infinity }: EmbedOptions = {},
): { html: string; width: number; height: number } {
  const width = Math.max(minWidth, Math.min(defaultWidth, maxWidth));
  const height = Math.min(width < narrowWidth ? heights.narrow : heights.wide, maxHeight);
  const address = escapeHtml(linkUrl.replace(/\/s\/(?=[^/]*$)/, '/embed/'));
  const name = escapeHtml(title === null ? 'Earshot' : `${title} · Earshot`);
  const html = `<iframe src="${address}" title="${name}" width="${width}" height="${height}" style="border:0;border-radius:14px;max-width:100%" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-scripts allow-same-origin allow-popups" allow="autoplay"></iframe>`;
  return { html, width, height };
}
