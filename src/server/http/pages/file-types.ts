/** Media types of the files of a build, by file extension. */
export const fileTypes: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
};

/** Returns the media type of a path or file name. */
export const fileTypeOf = (path: string): string =>
  fileTypes[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
