// Whisper's tokens are bytes, and in many languages a character is divided between tokens. The engine drops what is no
// text of its own, so it would drop those characters. It therefore gets tokens in which each byte is a letter.

/** The letter of byte 0. Those of the others follow. */
const firstLetter = 0x100;
const byteCount = 256;

const lettersOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => String.fromCharCode(firstLetter + byte)).join('');

/**
 * Writes a letter for each byte of the tokens of a `tokens.txt`, whose lines are a token in base64 and its number. Null
 * if the file is something else.
 */
export function withLetters(tokensFile: string): string | null {
  const lines = tokensFile.split('\n').filter((line) => line !== '');
  const written: string[] = [];
  for (const line of lines) {
    const { token, number } = /^(?<token>[A-Za-z\d+/]*={0,2}) (?<number>\d+)$/.exec(line)?.groups ?? {};
    if (token === undefined || number === undefined) return null;
    const letters = lettersOf(Buffer.from(token, 'base64'));
    written.push(`${Buffer.from(letters).toString('base64')} ${number}\n`);
  }
  return written.join('');
}

/** Reads tokens with letters for bytes. A character belongs to the token that completes it. */
export function textsOfLetters(tokens: readonly string[]): string[] {
  const decoder = new TextDecoder();
  const texts = tokens.map((token) => {
    const codes = Array.from({ length: token.length }, (_, index) => token.charCodeAt(index) - firstLetter);
    return decoder.decode(Uint8Array.from(codes.filter((code) => code >= 0 && code < byteCount)), {
      stream: true,
    });
  });
  return texts.map((text) => text.replaceAll('\u{FFFD}', ''));
}
