// Writes the script and the style sheet of the API explorer (/reference), compressed, with their licences, to dist/explorer. The
// build, the development server, `next build` and the tests write it.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { inRoot } from './launch/root.mjs'

const COMPRESSED = ['swagger-ui-bundle.js', 'swagger-ui.css']
const LICENCES = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']

export async function writeExplorer() {
  const source = inRoot('node_modules', 'swagger-ui-dist')
  const folder = inRoot('dist', 'explorer')
  await mkdir(folder, { recursive: true })
  const write = async (name, content) => {
    const draft = join(folder, `${name}.${process.pid}`)
    await writeFile(draft, content)
    await rename(draft, join(folder, name))
  }
  await Promise.all([
    ...COMPRESSED.map(async (name) => write(`${name}.gz`, await promisify(gzip)(await readFile(join(source, name))))),
    ...LICENCES.map(async (name) => write(name, await readFile(join(source, name)))),
  ])
}
