import { escapeHtml } from '#base/escape-html.ts';

/** HTML that is safe to insert. Only `markup` and `trustedHtml` create it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Inserted = string | number | Html | readonly Html[] | null | false;

function inserted(value: Inserted): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escapeHtml(String(value));
}

/**
 * Template tag that escapes everything except `Html`. Values stand in elements or in quoted attributes. Under the name
 * `html`, the formatter would add spaces to the page.
 */
export function markup(parts: TemplateStringsArray, ...values: Inserted[]): Html {
  return new Html(parts.reduce((text, part, index) => text + inserted(values[index - 1] ?? null) + part));
}

/** Marks a constant of the code or a file of the build as HTML. Never call it with a text from a user. */
export const trustedHtml = (text: string): Html => new Html(text);

/** Private-use characters (Unicode, 23.5) stand for HTML while a message is formatted. */
const firstSlot = 0xf0000;
const eachSlot = /[\u{f0000}-\u{f00ff}]/gu;

/**
 * Inserts HTML into a translated message: `withHtml((slot) => i18n._('From {name}', { name: slot(0) }), [name])`.
 * The message itself is escaped.
 */
export function withHtml(message: (slot: (index: number) => string) => string, parts: readonly Html[]): Html {
  const text = message((index) => String.fromCodePoint(firstSlot + index));
  return new Html(
    escapeHtml(text).replaceAll(
      eachSlot,
      (slot) => parts[(slot.codePointAt(0) ?? 0) - firstSlot]?.text ?? '',
    ),
  );
}
