// Loads modules of the product, bundled for this run: they are TypeScript, which Node 20 cannot load.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The exports of `contents`, a module at the root of the repository. */
export async function loadSources(root, folder, name, contents) {
  const { build } = await import('esbuild')
  const outfile = join(folder, `${name}.mjs`)
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}
