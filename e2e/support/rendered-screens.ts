// The samples of the hosted pages, rendered without a server. Playwright compiles JSX for its own component tests, so the renderer
// is bundled first, as for production.
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

const FILES: Record<string, [type: string, path: string]> = {
  '/hosted.css': ['text/css', 'dist/hosted.css'],
  '/themed.css': ['text/css', 'dist/themed.css'],
  ...Object.fromEntries(
    ['comfort.js', 'captcha.js', 'passkeys.js', 'simplewebauthn.js'].map((name) => [
      `/${name}`,
      ['text/javascript', `public/${name}`],
    ]),
  ),
}

/** A function that shows documents on the page, with the style sheet and the scripts of the build and nothing of other origins. */
export async function showing(page: Page): Promise<(html: string) => Promise<void>> {
  let shown = ''
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url())
    const [contentType, path] = FILES[pathname] ?? []
    if (origin !== SERVER) await route.abort()
    else if (pathname === '/rendered') await route.fulfill({ contentType: 'text/html', body: shown })
    else if (path) await route.fulfill({ contentType: contentType ?? '', path: join(root, path) })
    else await route.abort()
  })
  return async (html) => {
    shown = html
    await page.goto(`${SERVER}/rendered`)
  }
}
