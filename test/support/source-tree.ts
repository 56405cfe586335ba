import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The project's root folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.tap', '.data']);

/** Returns every file of the tree, relative to the root. A downloaded archive has no git to ask. */
export function treeFiles(folder = ROOT): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return treeFiles(path);
    return entry.isFile() ? [relative(ROOT, path)] : [];
  });
}

const SOURCE_FOLDERS = ['shared', 'engine', 'control-plane', 'deploy', 'bench', 'test'];

export function sourceFiles(): readonly string[] {
  return treeFiles().filter((file) => /\.tsx?$/.test(file) && SOURCE_FOLDERS.includes(file.split('/')[0] as string));
}

export function readTreeFile(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Returns what a module imports or exports from elsewhere, as written: static, dynamic and type-only alike. */
export function importsOf(file: string): readonly string[] {
  return ts.preProcessFile(readTreeFile(file), true, true).importedFiles.map(({ fileName }) => fileName);
}

/** The files of the tree that each file imports. */
export function importGraph(): ReadonlyMap<string, readonly string[]> {
  const known = new Set(sourceFiles());
  const fileOf = (target: string) => [target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')].find((name) => known.has(name));
  return new Map(
    [...known].map((file) => {
      const relatives = importsOf(file).filter((specifier) => specifier.startsWith('.'));
      const targets = relatives.map((specifier) => fileOf(normalize(join(dirname(file), specifier))));
      return [file, targets.filter((target) => target !== undefined)] as const;
    }),
  );
}

/** Whether nothing is left of a module once its types are erased. */
export function isTypesOnly(file: string): boolean {
  const { outputText } = ts.transpileModule(readTreeFile(file), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true, removeComments: true },
  });
  return outputText.replace('export {};', '').trim() === '';
}
