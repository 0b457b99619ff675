// The files of the API explorer, as lib/server/node/explorer.mjs wrote them: gzip-compressed, read when they are first requested.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lazy } from '../../kernel/lazy'

export type ExplorerFiles = Readonly<Record<'script' | 'style', () => Promise<Buffer>>>

export function openExplorer(root: string): ExplorerFiles {
  const file = (name: string) => lazy(() => readFile(join(root, 'dist', 'explorer', name)))
  return { script: file('swagger-ui-bundle.js.gz'), style: file('swagger-ui.css.gz') }
}
