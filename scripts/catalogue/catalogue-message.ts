import {
  isArgumentElement,
  isDateElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  isTimeElement,
  parse,
  type MessageFormatElement,
  type PluralElement,
} from '@formatjs/icu-messageformat-parser';

/** The placeholders that one message uses. Names include their kind: `count, plural` is not `count`. */
export interface MessageParts {
  /** Used in every branch of the message. */
  always: ReadonlySet<string>;
  /** Used in at least one branch. */
  anywhere: ReadonlySet<string>;
  plurals: readonly PluralElement[];
  /** Tags that are not Lingui's numbered ones. */
  rawTags: readonly string[];
}

/** Names Lingui's numbered tags, which the parser would read as text: `<0>` becomes `<t0>`. */
export const nameTags = (message: string) => message.replace(/<(\/?)(\d+)(\/?)>/g, '<$1t$2$3>');

/** Reverses `nameTags`: `<t0>` becomes `<0>`. */
export const numberTags = (message: string) => message.replace(/<(\/?)t(\d+)(\/?)>/g, '<$1$2$3>');

/**
 * Parses an ICU message.
 * @throws SyntaxError that describes the malformed part
 */
export function readMessage(message: string): MessageParts {
  const elements = parse(nameTags(message), { requiresOtherClause: true, captureLocation: false });
  const plurals: PluralElement[] = [];
  const rawTags: string[] = [];
  const { always, anywhere } = usedIn(elements, { plurals, rawTags });
  return { always, anywhere, plurals, rawTags };
}

interface Found {
  plurals: PluralElement[];
  rawTags: string[];
}
interface Used {
  always: Set<string>;
  anywhere: Set<string>;
}

function simpleName(element: MessageFormatElement): string | null {
  if (isArgumentElement(element)) return element.value;
  if (isNumberElement(element)) return `${element.value}, number`;
  if (isDateElement(element)) return `${element.value}, date`;
  return isTimeElement(element) ? `${element.value}, time` : null;
}

function usedIn(elements: readonly MessageFormatElement[], found: Found): Used {
  const used: Used = { always: new Set(), anywhere: new Set() };
  for (const element of elements) {
    const part = usedBy(element, found);
    used.always = used.always.union(part.always);
    used.anywhere = used.anywhere.union(part.anywhere);
  }
  return used;
}

function usedBy(element: MessageFormatElement, found: Found): Used {
  const simple = simpleName(element);
  if (simple !== null) return both([simple]);
  if (isLiteralElement(element))
    return both([...element.value.matchAll(/<(t\d+)\/>/g)].map(([, tag]) => `<${tag}>`));
  if (isTagElement(element)) {
    if (!/^t\d+$/.test(element.value)) found.rawTags.push(element.value);
    return merge(both([`<${element.value}>`]), usedIn(element.children, found));
  }
  if (isPluralElement(element)) {
    found.plurals.push(element);
    return merge(both([`${element.value}, plural`]), usedInOptions(element.options, found));
  }
  if (isSelectElement(element))
    return merge(both([`${element.value}, select`]), usedInOptions(element.options, found));
  return both([]);
}

function usedInOptions(options: Record<string, { value: MessageFormatElement[] }>, found: Found): Used {
  const branches = Object.values(options).map(({ value }) => usedIn(value, found));
  return {
    always: branches.map(({ always }) => always).reduce((common, next) => common.intersection(next)),
    anywhere: branches.map(({ anywhere }) => anywhere).reduce((all, next) => all.union(next)),
  };
}

const both = (names: readonly string[]): Used => ({ always: new Set(names), anywhere: new Set(names) });
const merge = (a: Used, b: Used): Used => ({
  always: a.always.union(b.always),
  anywhere: a.anywhere.union(b.anywhere),
});

/** Returns whether a branch shows the number. */
export function showsNumber(plural: PluralElement, category: string): boolean {
  const shows = (elements: readonly MessageFormatElement[]): boolean =>
    elements.some(
      (element) =>
        isPoundElement(element) ||
        (isArgumentElement(element) && element.value === plural.value) ||
        (isNumberElement(element) && element.value === plural.value) ||
        (isTagElement(element) && shows(element.children)),
    );
  return shows(plural.options[category]?.value ?? []);
}
