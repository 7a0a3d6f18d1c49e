const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is this machine's own, which browsers count as secure without https. */
export const isLoopback = (url: URL): boolean =>
  loopback.has(url.hostname) || url.hostname.endsWith('.localhost');
