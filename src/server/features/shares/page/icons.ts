import { trustedHtml } from './html.ts';

const icon = (content: string, attributes = '') =>
  trustedHtml(`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"${attributes}>${content}</svg>`);
const outline = ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';

/** Both halves of the play button; the style sheet shows one of them. */
export const playIcons = trustedHtml(
  [
    icon('<path d="M8.5 5.2v13.6L19 12z"/>', ' class="play-icon"'),
    icon('<path d="M7 5h3.4v14H7zM13.6 5H17v14h-3.4z"/>', ' class="pause-icon"'),
  ].join(''),
);
export const backIcon = icon(
  '<path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8"/><path d="M3 3v5h5"/>',
  outline,
);
export const forwardIcon = icon(
  '<path d="M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8"/><path d="M21 3v5h-5"/>',
  outline,
);
export const languageIcon = icon(
  '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3.2 3 14.8 0 18M12 3c-3 3.2-3 14.8 0 18"/>',
  outline,
);
export const downloadIcon = icon('<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14"/>', outline);

const markShapes =
  '<rect width="64" height="64" rx="15" fill="#1b1e26"/><g stroke="#fbf9f5" stroke-width="5" stroke-linecap="round"><path d="M13 28v8M23 21v22M33 15v34"/></g><circle cx="47" cy="32" r="9.5" fill="#e5352f"/>';

/** Earshot’s sign, the same as `src/web/public/icon.svg`. */
export const markIcon = trustedHtml(
  `<svg viewBox="0 0 64 64" aria-hidden="true" focusable="false" class="mark">${markShapes}</svg>`,
);

/** The sign as a data URL, because the page loads nothing outside of its link. */
export const markUrl = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${markShapes}</svg>`,
)}`;
