const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether a URL is on loopback, which browsers treat as secure without https. */
export const isLoopback = (url: URL): boolean =>
  loopback.has(url.hostname) || url.hostname.endsWith('.localhost');
