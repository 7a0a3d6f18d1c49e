/** What stands in the page for a text that a translator took out. */
const replacements = new WeakMap<Node, Element>();
/** Each stands for one text. */
const claimed = new WeakSet<Element>();
const guarded = new WeakSet<Node>();

const isFont = (node: Node | null): node is Element => node instanceof Element && node.localName === 'font';

/**
 * Translators put a `font` element in the place of a text: in one step, beside it before it goes, or
 * afterwards where it was.
 */
function replacementOf(
  text: Node,
  taken: MutationRecord,
  records: readonly MutationRecord[],
): Element | null {
  const around = records.filter(({ target }) => target === taken.target);
  const beside = around.filter(
    ({ previousSibling, nextSibling }) => previousSibling === text || nextSibling === text,
  );
  const afterwards = around.filter(
    ({ previousSibling, nextSibling }) =>
      previousSibling === taken.previousSibling && nextSibling === taken.nextSibling,
  );
  const put = [taken, ...beside, ...afterwards].flatMap(({ addedNodes }) => [...addedNodes]);
  return (
    [...put, taken.previousSibling, taken.nextSibling].filter(isFont).find((font) => !claimed.has(font)) ??
    null
  );
}

/** What the app means in `parent` by a text: itself, or what stands there for it. */
function placeOf(node: Node, parent: Node): Node {
  const replacement = node.parentNode === parent ? undefined : replacements.get(node);
  return replacement?.parentNode === parent ? replacement : node;
}

/** The app moves or removes a text: its translation goes. */
function removeReplacement(node: Node): void {
  replacements.get(node)?.remove();
  replacements.delete(node);
}

/**
 * React removes a text from the element it put it into, and inserts before it; both throw where it is gone.
 * Only elements whose text was translated are changed.
 */
function guard(parent: Node): void {
  if (guarded.has(parent)) return;
  guarded.add(parent);
  const browsers = Node.prototype;
  Object.assign(parent, {
    removeChild: (node: Node): Node => {
      browsers.removeChild.call(parent, placeOf(node, parent));
      replacements.delete(node);
      return node;
    },
    insertBefore: (node: Node, before: Node | null): Node => {
      removeReplacement(node);
      return browsers.insertBefore.call(parent, node, before && placeOf(before, parent));
    },
    appendChild: (node: Node): Node => {
      removeReplacement(node);
      return browsers.appendChild.call(parent, node);
    },
  });
}

/**
 * Keeps a page true that the browser translates. Translators take React's text nodes out of the page and put
 * their own words there, once: React then changes texts that nobody sees. Whenever it does, the text takes
 * its place again, and the translator translates it as new.
 */
export function protectTranslatedText(): void {
  const texts = new MutationObserver((records) => {
    for (const { target } of records) {
      const replacement = replacements.get(target);
      replacements.delete(target);
      if (replacement?.isConnected && target instanceof Text) replacement.replaceWith(target);
    }
  });
  new MutationObserver((records) => {
    for (const record of records) {
      for (const node of record.removedNodes) {
        const replacement = node instanceof Text ? replacementOf(node, record, records) : null;
        if (replacement === null) continue;
        replacements.set(node, replacement);
        claimed.add(replacement);
        guard(record.target);
        texts.observe(node, { characterData: true });
      }
    }
  }).observe(document, { childList: true, subtree: true });
}
