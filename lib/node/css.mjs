/**
 * Compiles app/globals.css, the style sheet of the hosted pages, as the build writes it to dist/hosted.css. `next build` runs
 * the same Tailwind plugin, so both adapters serve the same styles.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/postcss'
import postcss from 'postcss'

const SOURCE = fileURLToPath(new URL('../../app/globals.css', import.meta.url))

/** @returns {Promise<string>} the minified style sheet */
export async function compileCss() {
  const source = await readFile(SOURCE, 'utf8')
  const { css } = await postcss([tailwind({ optimize: { minify: true } })]).process(source, { from: SOURCE })
  return css
}
