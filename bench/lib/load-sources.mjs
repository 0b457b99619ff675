// Modules of the product itself, bundled for this run: they are TypeScript, and Node 20 does not read that.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What `contents`, a module at the root of the repository, exports. */
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
