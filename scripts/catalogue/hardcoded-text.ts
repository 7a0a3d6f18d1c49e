import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { findBareNames } from './bare-names.ts';

export interface HardcodedText {
  line: number;
  text: string;
}

/** Attributes whose text users read or a screen reader speaks. */
const readAttributes = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'aria-placeholder',
  'title',
  'placeholder',
  'alt',
  'label',
  'description',
  'errorMessage',
]);
/** Lingui's elements, whose content is translated. */
const translated = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal']);
/** Elements whose content is the same in every language. */
const untranslatable = new Set(['code', 'kbd', 'samp']);
/** Names that are the same in every language. */
const names = /Earshot/g;

const isWords = (text: string): boolean => /\p{L}/u.test(text.replace(names, ''));

const tagOf = (node: ts.JsxElement | ts.JsxSelfClosingElement): string =>
  (ts.isJsxElement(node) ? node.openingElement.tagName : node.tagName).getText();

/**
 * Returns the plain texts that an expression can produce: `open ? 'Close' : 'Open'` has two. Tagged templates
 * belong to Lingui.
 */
function plainTexts(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return plainTexts(node.expression);
  if (ts.isConditionalExpression(node)) return [...plainTexts(node.whenTrue), ...plainTexts(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return [...plainTexts(node.left), ...plainTexts(node.right)];
    const isChoice = [
      ts.SyntaxKind.AmpersandAmpersandToken,
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
    ].includes(node.operatorToken.kind);
    return isChoice ? plainTexts(node.right) : [];
  }
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? [node] : [];
}

const wordsOf = (node: ts.Expression): string => {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ')
    : '';
};

/**
 * Returns whether a browser's page translation would change a name or a user's text, which are always in `bdi`.
 */
const isTranslatedName = (node: ts.JsxElement): boolean =>
  tagOf(node) === 'bdi' &&
  !node.openingElement.attributes.properties.some(
    (attribute) => ts.isJsxAttribute(attribute) && attribute.name.getText() === 'translate',
  );

/** Finds the names in a TSX file that browsers would translate. */
export function findTranslatedNames(source: string): HardcodedText[] {
  const file = ts.createSourceFile('file.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: HardcodedText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && isTranslatedName(node))
      found.push({
        line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text: node.getText(),
      });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Finds user-visible text in a TSX file that does not go through Lingui. */
export function findHardcodedText(source: string): HardcodedText[] {
  const file = ts.createSourceFile('file.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: HardcodedText[] = [];
  const report = (node: ts.Node, text: string) => {
    if (isWords(text))
      found.push({
        line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text: text.trim().replace(/\s+/gu, ' '),
      });
  };
  const reportExpression = (expression: ts.Expression | undefined) => {
    for (const node of expression ? plainTexts(expression) : []) report(node, wordsOf(node));
  };
  const visitAttribute = (node: ts.JsxAttribute) => {
    if (!readAttributes.has(node.name.getText())) return;
    if (node.initializer && ts.isStringLiteral(node.initializer)) report(node, node.initializer.text);
    if (node.initializer && ts.isJsxExpression(node.initializer))
      reportExpression(node.initializer.expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && (translated.has(tagOf(node)) || untranslatable.has(tagOf(node)))) return;
    if (ts.isJsxSelfClosingElement(node) && translated.has(tagOf(node))) return;
    if (ts.isJsxText(node)) report(node, node.text);
    if (ts.isJsxAttribute(node)) visitAttribute(node);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) reportExpression(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

async function main(root: string): Promise<void> {
  let [files, findings] = [0, 0];
  for await (const path of glob('src/web/**/*.{ts,tsx}', { cwd: root })) {
    // Texts that only developers see stay in English.
    if (/\.(?:test\.tsx?|d\.ts)$/.test(path) || path.startsWith(join('src', 'web', 'dev'))) continue;
    const hasElements = path.endsWith('.tsx');
    files += 1;
    const source = await readFile(join(root, path), 'utf8');
    const untranslated = (hasElements ? findHardcodedText(source) : []).map(({ line, text }) => ({
      line,
      text: `text that is not translated: ${text}`,
    }));
    const names = (hasElements ? findTranslatedNames(source) : []).map(({ line, text }) => ({
      line,
      text: `a name without translate="no": ${text}`,
    }));
    for (const { line, text } of [
      ...untranslated,
      ...names,
      ...findBareNames(source, hasElements ? ts.ScriptKind.TSX : ts.ScriptKind.TS),
    ]) {
      findings += 1;
      console.error(`${path}:${line}: ${text}`);
    }
  }
  console.log(`${files} files, ${findings} hard-coded texts`);
  if (findings > 0) process.exitCode = 1;
}

if (import.meta.main) await main(join(import.meta.dirname, '..', '..'));
