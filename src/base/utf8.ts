// Workers, pages and the server share this module, so it uses no platform APIs such as TextEncoder: percent-encoding is
// the UTF-8 encoder of the language itself.

/** Encodes a text. */
export function utf8(text: string): Uint8Array {
  const binary = encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/**
 * Decodes a text.
 * @throws URIError if it is not UTF-8
 */
export function fromUtf8(bytes: Uint8Array): string {
  return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
}
