import ts from 'typescript';
import { readTreeFile, sourceFiles } from './source-tree.js';

/** The texts of the dashboard as its sources contain them: the arguments of the functions of `language/text.ts` and `language/rich.ts`. */

/** Functions that take a text, with the positions of their English forms. Catalogues name a text by the last of them. */
export const TEXT_FUNCTIONS: Readonly<Record<string, readonly number[]>> = { text: [0], message: [0], rich: [0], counted: [1, 2] };

export interface SourceText {
  readonly english: string;
  /** The form for one thing; null if the text has no numbers of things. */
  readonly one: string | null;
  readonly place: string;
}

export function dashboardSources(): readonly ts.SourceFile[] {
  const files = sourceFiles().filter(
    (file) => file.startsWith('control-plane/dashboard/') && !/\/language\/|\/(build|world-map)\.ts$|\.d\.ts$/.test(file),
  );
  return files.map((file) =>
    ts.createSourceFile(file, readTreeFile(file), ts.ScriptTarget.ESNext, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS),
  );
}

export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

export function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

/** Returns the English forms that a call names; null if it is not a call of these functions. A form that is not a literal is null. */
export function textCall(node: ts.Node): readonly (string | null)[] | null {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return null;
  const places = Object.hasOwn(TEXT_FUNCTIONS, node.expression.text) ? TEXT_FUNCTIONS[node.expression.text] : undefined;
  if (places === undefined) return null;
  return places.map((place) => {
    const given = node.arguments[place];
    return given !== undefined && ts.isStringLiteralLike(given) ? given.text : null;
  });
}

/** Returns every text of the sources, each once. */
export function sourceTexts(sources = dashboardSources()): readonly SourceText[] {
  const texts = new Map<string, SourceText>();
  for (const source of sources)
    eachNode(source, (node) => {
      const forms = textCall(node);
      const english = forms?.at(-1);
      if (forms == null || english == null || texts.has(english)) return;
      texts.set(english, { english, one: forms.length === 2 ? (forms[0] ?? null) : null, place: placeOf(node) });
    });
  return [...texts.values()];
}

/** Returns the places and tags of a text in alphabetical order, because another language may name them in another order. */
export function placesOf(text: string): readonly string[] {
  return [...text.matchAll(/\{\w+\}|<\/?\w+>/g)].map(([place]) => place).sort();
}
