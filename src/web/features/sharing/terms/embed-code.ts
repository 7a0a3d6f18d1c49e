/** The path of the page that is embedded, and its size in pixels. */
const [path, widthPx, heightPx] = ['embed', 640, 200];

/**
 * The HTML that shows the player of a link on another website.
 * @param url the address of the link, `…/s/<token>`
 */
export function embedCode(url: string): string {
  const { origin, pathname } = new URL(url);
  const token = pathname.split('/').at(-1) ?? '';
  return `<iframe src="${origin}/${path}/${token}" width="${widthPx}" height="${heightPx}" title="Earshot" loading="lazy"></iframe>`;
}
