import ts from 'typescript';

interface BareName {
  line: number;
  text: string;
}

/** Lingui's elements: what stands in them becomes one sentence. */
const sentences = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal']);

const tagOf = (node: ts.JsxElement): string => node.openingElement.tagName.getText();

/** What holds a person's own words, by the names such values have in this code. */
const usersWords = /(?:^|\.)(?:title|displayName|deviceLabel|providerName|fileName|label|search)$/;
/** Elements that keep what stands in them apart from the words around it. */
const isolating = new Set(['UserText', 'bdi']);

/**
 * Whether a message would take in a person's words bare: they could turn round what stands beside them.
 * `iso()` wraps them.
 */
function isBare(expression: ts.Expression): boolean {
  const name = expression.getText();
  return (
    usersWords.test(name) &&
    !new RegExp(`\\b${name.replaceAll('.', '\\.')} = iso(?:LeftToRight)?\\(`, 'u').test(
      expression.getSourceFile().text,
    )
  );
}

/** The expressions inside one of Lingui's elements that become part of its sentence. */
function spokenIn(node: ts.Node): ts.Expression[] {
  if (ts.isJsxElement(node) && isolating.has(tagOf(node))) return [];
  if (ts.isJsxExpression(node)) return node.expression ? [node.expression] : [];
  return node.getChildren().flatMap(spokenIn);
}

/**
 * Finds a person's words in the messages of a file of TypeScript, with or without JSX, that are not isolated
 * from the words around them.
 */
export function findBareNames(source: string, kind: ts.ScriptKind = ts.ScriptKind.TSX): BareName[] {
  const file = ts.createSourceFile('file.tsx', source, ts.ScriptTarget.Latest, true, kind);
  const found: BareName[] = [];
  const visit = (node: ts.Node): void => {
    const inTemplate =
      ts.isTaggedTemplateExpression(node) && ts.isTemplateExpression(node.template)
        ? node.template.templateSpans.map(({ expression }) => expression)
        : [];
    const inElement =
      ts.isJsxElement(node) && sentences.has(tagOf(node)) ? node.children.flatMap(spokenIn) : [];
    for (const bare of [...inTemplate, ...inElement].filter(isBare))
      found.push({
        line: file.getLineAndCharacterOfPosition(bare.getStart()).line + 1,
        text: `${bare.getText()} stands bare in a message: wrap it with iso() or <UserText>`,
      });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
