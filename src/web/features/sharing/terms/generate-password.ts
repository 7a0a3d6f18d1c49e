/** Letters and digits that no one confuses when reading them aloud or typing them on a phone. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/** The first byte value that would make some characters more frequent than others. */
const unfairFrom = 256 - (256 % alphabet.length);

function randomCharacter(): string {
  for (;;) {
    const [byte = unfairFrom] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < unfairFrom) return alphabet.charAt(byte % alphabet.length);
  }
}

/** A new password of 79 random bits, such as `k7mq-3fzx-9tpd-w2hc`. */
export function generatePassword(): string {
  const group = () => Array.from({ length: groupLength }, randomCharacter).join('');
  return Array.from({ length: groups }, group).join('-');
}
