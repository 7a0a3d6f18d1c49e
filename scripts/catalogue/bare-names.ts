import ts from 'typescript';

interface BareName {
  line: number;
  text: string;
}

/** Lingui's elements, whose content becomes one sentence. */
const sentences = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal']);

const tagOf = (node: ts.JsxElement): string => node.openingElement.tagName.getText();

/** Matches values that users enter, by their usual names in this code. */
const usersWords = /(?:^|\.)(?:title|displayName|deviceLabel|providerName|fileName|label|search)$/;
/** Elements that isolate the direction of their content from the text around it. */
const isolating = new Set(['UserText', 'bdi']);

/**
 * Returns whether a message would include a user's text without isolation, which could reverse the text around it.
 * `iso()` isolates it.
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

/** Returns the expressions in one of Lingui's elements that become part of its sentence. */
function spokenIn(node: ts.Node): ts.Expression[] {
  if (ts.isJsxElement(node) && isolating.has(tagOf(node))) return [];
  if (ts.isJsxExpression(node)) return node.expression ? [node.expression] : [];
  return node.getChildren().flatMap(spokenIn);
}

/**
 * Finds user-entered text in the messages of a TypeScript file, with or without JSX, that is not isolated from the
 * text around it.
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
        text: `${bare.getText()} is not isolated in a message: wrap it with iso() or <UserText>`,
      });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
