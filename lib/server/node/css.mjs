/**
 * Compiles the style sheets of the hosted pages: app/globals.css, and app/themed.css for tenants with a theme. `next build` runs the
 * same Tailwind plugin, so both adapters serve the same styles.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The name of the compiled file → its source. */
const SHEETS = {
  'hosted.css': new URL('../../../app/globals.css', import.meta.url),
  'themed.css': new URL('../../../app/themed.css', import.meta.url),
}

/** @param {string} folder */
export async function writeStyleSheets(folder) {
  await mkdir(folder, { recursive: true })
  await Promise.all(Object.entries(SHEETS).map(([name, source]) => writeSheet(join(folder, name), source)))
}

/**
 * A server that reads the file meanwhile has the one before.
 * @param {string} file
 * @param {URL} source
 */
async function writeSheet(file, source) {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, await compile(source))
  await rename(draft, file)
}

/** @param {URL} source */
async function compile(source) {
  const [{ default: postcss }, { default: tailwind }] = await Promise.all([
    import('postcss'),
    import('@tailwindcss/postcss'),
  ])
  const from = fileURLToPath(source)
  const sheet = await readFile(from, 'utf8')
  return (await postcss([tailwind({ optimize: { minify: true } })]).process(sheet, { from })).css
}
