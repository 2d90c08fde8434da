/**
 * Collects the phrases of the importers (reasons and error messages) from their source code, so that a test can find
 * phrases without a translation.
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/**
 * Index of the phrase among the arguments of a call, by the name of the called function. These functions report skipped
 * items, excluded items and damaged lines.
 */
const PHRASE_INDEXES_BY_FUNCTION: Record<string, number> = {
  reportSkip: 2,
  countExcludedItems: 1,
  onDamagedLine: 1,
}
/** Stands for each value that a phrase contains, because values are only known when the importer runs. */
export const SAMPLE_VALUE = '7'

/** Returns the phrases of all catalogue importers. Throws if the phrase of a call cannot be determined. */
export const collectImporterPhrases = (): string[] =>
  globSync('server/importers/{*,imdb/*,tmdb/*}.ts').flatMap((file) =>
    collectPhrases(file, readFileSync(file, 'utf8')),
  )

/**
 * Returns the phrases in a source text: the reasons of skipped items, excluded items and damaged lines, and the
 * messages of errors. Inserted values are replaced by SAMPLE_VALUE. Throws if the phrase of a call cannot be
 * determined.
 */
export function collectPhrases(file: string, sourceText: string): string[] {
  const sourceFile = ts.createSourceFile(file, sourceText, ts.ScriptTarget.Latest, true)
  const phrases: string[] = []
  const visit = (node: ts.Node) => {
    const phraseExpression = findPhraseExpression(node)
    if (phraseExpression) phrases.push(...resolvePhrases(phraseExpression, sourceFile))
    ts.forEachChild(node, visit)
  }
  visit(sourceFile)
  return phrases
}

/** Returns the expression of the phrase if the node reports an item or a line, or constructs an importer error. */
function findPhraseExpression(node: ts.Node): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) && getName(node.name) === 'skip') return node.initializer
  if (ts.isNewExpression(node) && /^(Importer|DumpFile|Tmdb).*Error$/.test(getName(node.expression)))
    return node.arguments?.[0]
  if (!ts.isCallExpression(node)) return undefined
  const phraseIndex = PHRASE_INDEXES_BY_FUNCTION[getName(node.expression)]
  return phraseIndex === undefined ? undefined : node.arguments[phraseIndex]
}

/** Returns the name of an identifier, or the last name of a property access such as `this.#findDamage`. */
function getName(node: ts.Node): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  return ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? node.text : ''
}

/**
 * Returns the possible values of an expression. Returns no values for a parameter or a `skip` property, because their
 * values are collected where they are created.
 */
function resolvePhrases(expression: ts.Expression, sourceFile: ts.SourceFile): string[] {
  const resolvePhrasesOfAll = (...expressions: ts.Expression[]) =>
    expressions.flatMap((part) => resolvePhrases(part, sourceFile))
  if (ts.isStringLiteralLike(expression)) return [expression.text]
  if (ts.isTemplateExpression(expression))
    return [
      expression.head.text +
        expression.templateSpans.map(({ literal }) => SAMPLE_VALUE + literal.text).join(''),
    ]
  if (ts.isConditionalExpression(expression))
    return resolvePhrasesOfAll(expression.whenTrue, expression.whenFalse)
  if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'skip') return []
  if (ts.isIdentifier(expression)) {
    const declaration = findDeclaration(expression, sourceFile)
    if (declaration && ts.isParameter(declaration)) return []
    if (declaration?.initializer) return resolvePhrasesOfAll(declaration.initializer)
  }
  if (ts.isCallExpression(expression)) {
    const callee = expression.expression
    if (getName(callee) === 'trim')
      return resolvePhrasesOfAll((callee as ts.PropertyAccessExpression).expression)
    const returnedExpressions = findReturnedTexts(getName(callee), sourceFile)
    if (returnedExpressions.length > 0) return resolvePhrasesOfAll(...returnedExpressions)
  }
  const { line } = sourceFile.getLineAndCharacterOfPosition(expression.getStart())
  throw new Error(`${sourceFile.fileName}:${line + 1}: the phrase cannot be determined`)
}

function findDescendant<T extends ts.Node>(
  root: ts.Node,
  isWanted: (node: ts.Node) => node is T,
): T | undefined {
  return ts.forEachChild(root, (child) => (isWanted(child) ? child : findDescendant(child, isWanted)))
}

type Declaration = ts.VariableDeclaration | ts.ParameterDeclaration

/** Returns the declaration of a name in the innermost scope that contains both the declaration and the use. */
function findDeclaration(use: ts.Identifier, sourceFile: ts.SourceFile): Declaration | undefined {
  const declarations: Declaration[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isVariableDeclaration(node) || ts.isParameter(node)) && getName(node.name) === use.text)
      declarations.push(node)
    ts.forEachChild(node, visit)
  }
  visit(sourceFile)
  const containsUse = (scope: ts.Node) => scope.pos <= use.pos && use.end <= scope.end
  return declarations
    .filter((declaration) => containsUse(getScope(declaration)))
    .sort((a, b) => getScope(b).pos - getScope(a).pos)[0]
}

/** Returns the function, block, loop or file that is the scope of a declaration. */
function getScope(declaration: Declaration): ts.Node {
  let scope: ts.Node = declaration.parent
  const isScope = (node: ts.Node) =>
    ts.isFunctionLike(node) || ts.isBlock(node) || ts.isForOfStatement(node) || ts.isSourceFile(node)
  while (!isScope(scope)) scope = scope.parent
  return scope
}

/**
 * Returns the texts that a function of the file returns, also through variables. Other return values, such as a record,
 * are ignored.
 */
function findReturnedTexts(functionName: string, sourceFile: ts.SourceFile): ts.Expression[] {
  const functionDeclaration = findDescendant(
    sourceFile,
    (node): node is ts.FunctionDeclaration | ts.MethodDeclaration =>
      (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
      node.name !== undefined &&
      getName(node.name) === functionName,
  )
  const returnedTexts: ts.Expression[] = []
  const visit = (node: ts.Node) => {
    if (ts.isReturnStatement(node) && node.expression) {
      const { expression } = node
      const declaration = ts.isIdentifier(expression) ? findDeclaration(expression, sourceFile) : undefined
      if (isText(declaration?.initializer ?? expression)) returnedTexts.push(expression)
    }
    ts.forEachChild(node, visit)
  }
  if (functionDeclaration) visit(functionDeclaration)
  return returnedTexts
}

const isText = (expression: ts.Expression): boolean =>
  ts.isStringLiteralLike(expression) ||
  ts.isTemplateExpression(expression) ||
  (ts.isConditionalExpression(expression) && isText(expression.whenTrue)) ||
  (ts.isCallExpression(expression) && getName(expression.expression) === 'trim')
