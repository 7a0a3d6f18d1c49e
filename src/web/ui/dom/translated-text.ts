/** The element that a translator put in the place of a text node. */
const replacements = new WeakMap<Node, Element>();
/** Elements that already replace a text node. Each replaces one. */
const claimed = new WeakSet<Element>();
const guarded = new WeakSet<Node>();

const isFont = (node: Node | null): node is Element => node instanceof Element && node.localName === 'font';

/**
 * Translators replace a text node by a `font` element: in one step, by adding it beside the node before removing
 * that, or by adding it at the node's place afterwards.
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

/** The node that represents a text node in `parent`: the node itself, or the element that replaced it. */
function placeOf(node: Node, parent: Node): Node {
  const replacement = node.parentNode === parent ? undefined : replacements.get(node);
  return replacement?.parentNode === parent ? replacement : node;
}

/** Removes the translation of a text node that the app moves or removes. */
function removeReplacement(node: Node): void {
  replacements.get(node)?.remove();
  replacements.delete(node);
}

/**
 * React removes a text node from its original parent, and inserts nodes before it; both throw if a translator took
 * it out. Only parents of translated text are patched.
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
 * Keeps a translated page up to date. Translators take React's text nodes out of the page and insert their own
 * text once, so that React then changes invisible nodes. Whenever it does, the text node returns to its place, and
 * the translator translates it again.
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
