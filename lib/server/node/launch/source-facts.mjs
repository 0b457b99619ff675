// The facts about a source file that the import rules need: its imports, and its code without comments.
import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * @typedef {{ target: string, typeOnly: boolean, lazy?: boolean }} Import `target` is a path from the checkout for our own files,
 *   and the package's name otherwise
 * @typedef {{ path: string, code: string, imports: Import[] }} SourceFacts
 */

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]*?\s*from\s*)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/**
 * @param {string} path from the checkout, with slashes
 * @param {string} text
 * @param {(path: string) => boolean} [exists]
 * @returns {SourceFacts}
 */
export function readFacts(path, text, exists = existsSync) {
  const code = withoutComments(text)
  const resolve = (specifier) => resolveImport(path, specifier, exists)
  const imports = [
    ...Array.from(code.matchAll(STATEMENT), ([statement, type, from]) => ({
      target: resolve(from),
      typeOnly: type !== undefined || hasOnlyTypes(statement),
    })),
    ...Array.from(code.matchAll(DYNAMIC), ([, from]) => ({ target: resolve(from), typeOnly: false, lazy: true })),
  ]
  return { path, code, imports }
}

/** `import { type A, type B } from`: such an import does not exist at run time. */
function hasOnlyTypes(statement) {
  const names = /\{([^}]*)\}/.exec(statement)?.[1]
  if (!names || /import\s+\w/.test(statement)) return false
  return names.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '))
}

/** Line breaks remain, so that a finding can name its line. A `//` inside a string, as in a URL, is not a comment. */
function withoutComments(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[\s;{}(,])\/\/.*$/gm, '$1')
}

function resolveImport(path, specifier, exists) {
  if (!specifier.startsWith('.')) return packageName(specifier)
  const base = posix.join(dirname(path).split('\\').join('/'), specifier)
  const candidates = [base, `${base}.ts`, `${base}.tsx`, `${base}.mjs`, join(base, 'index.ts')]
  return candidates.find((candidate) => /\.\w+$/.test(candidate) && exists(candidate)) ?? base
}

const packageName = (specifier) =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
