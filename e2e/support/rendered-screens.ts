// The samples of the hosted pages, rendered without a server. Playwright compiles JSX for its own component tests, so the renderer
// is bundled first, as for production.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import type * as HostedPages from '../../lib/testing/hosted-pages'
import { SERVER } from '../origins'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param folder where the bundle is written */
export async function bundledPages(folder: string): Promise<typeof HostedPages> {
  const outfile = join(folder, 'hosted-pages.mjs')
  await build({
    entryPoints: [join(root, 'lib/testing/hosted-pages.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  })
  return import(outfile)
}

/** Shows a document, with the style sheet and the script of the build. */
export async function showDocument(page: Page, html: string): Promise<void> {
  const files: Record<string, [type: string, body: string | Promise<string>]> = {
    '/rendered': ['text/html', html],
    '/hosted.css': ['text/css', readFile(join(root, 'dist/hosted.css'), 'utf8')],
    ...Object.fromEntries(
      ['comfort.js', 'captcha.js', 'passkeys.js', 'simplewebauthn.js'].map((name) => [
        `/${name}`,
        ['text/javascript', readFile(join(root, 'public', name), 'utf8')],
      ]),
    ),
  }
  for (const [path, [contentType, body]] of Object.entries(files)) {
    await page.route(SERVER + path, async (route) => route.fulfill({ contentType, body: await body }))
  }
  await page.goto(`${SERVER}/rendered`)
}
