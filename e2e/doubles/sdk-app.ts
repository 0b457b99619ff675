// A browser app that consists of pages with the vendor's unmodified SDKs, which the tests drive. On https, which the SDKs
// require, under every name that the browser maps to this machine.
// /spa, /spa/callback, /spa/login @auth0/auth0-spa-js
// /classic, /classic/callback auth0-js; /classic/popup passes its result to the page that opened it
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { makeCertificates } from '../interop/support/certificates'
import { page } from './app-pages'

const packageFile = (path: string) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))

const SCRIPTS: Record<string, string> = {
  '/spa.js': packageFile('@auth0/auth0-spa-js/dist/auth0-spa-js.production.js'),
  '/classic.js': packageFile('auth0-js/dist/auth0.min.js'),
}

const PAGES: Record<string, string> = {
  '/spa': page('Single page', '<script src="/spa.js"></script>'),
  '/classic': page('Classic', '<script src="/classic.js"></script>'),
  '/classic/popup': page(
    'One moment',
    `<script src="/classic.js"></script><script>new auth0.WebAuth({ domain: localStorage.domain, clientID: 'e2e-kite' }).popup.callback()</script>`,
  ),
  '/bye': page('Goodbye', ''),
}

export type RunningSdkApp = { close(): Promise<void> }

export async function startSdkApp(port: number): Promise<RunningSdkApp> {
  const { cert, key } = await makeCertificates()
  const server = createServer({ cert, key }, async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'https://localhost')
    const script = SCRIPTS[pathname]
    const html = PAGES[pathname.replace(/\/(callback|login)$/, '')]
    if (script) response.setHeader('content-type', 'text/javascript').end(await readFile(script))
    else if (html) response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
    else response.writeHead(404).end()
  })
  server.listen(port)
  await once(server, 'listening')
  return {
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
