// A third-party app on node:http. It knows only the server's URL.
// /login?app=…&… redirects the browser to /authorize with all other parameters unchanged
// /silent?app=… the same in a frame, with web_message
// /popup?app=… the same in a popup
// /callback receives the response, by query, fragment or form post

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  exchangePage,
  farewellPage,
  fragmentPage,
  homePage,
  page,
  popupPage,
  refusalPage,
  silentPage,
  welcomePage,
} from './app-pages'
import { APPS, type AppName, authorizeUrl, exchange, exchangeForm, newPending, type Pending } from './app-protocol'

export type RunningApp = { close(): Promise<void> }

type Answer = { html: string; status?: number } | { location: string }

export async function startApp(port: number): Promise<RunningApp> {
  const pending = new Map<string, Pending>()
  const server = createServer((request, response) => {
    answer(request, pending).then(
      (made) => send(response, made),
      (error: unknown) => send(response, { html: page('The app broke', String(error)), status: 500 }),
    )
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

function send(response: ServerResponse, made: Answer): void {
  if ('location' in made) response.writeHead(302, { location: made.location }).end()
  else response.writeHead(made.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(made.html)
}

async function answer(request: IncomingMessage, pending: Map<string, Pending>): Promise<Answer> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  switch (url.pathname) {
    case '/':
      return { html: homePage() }
    case '/login':
      return { location: begin(url, pending, {}) }
    case '/silent':
      return { html: silentPage(begin(url, pending, { prompt: 'none', response_mode: 'web_message' })) }
    case '/popup':
      return { html: popupPage(begin(url, pending, { response_mode: 'web_message' })) }
    case '/callback':
      return hear(request.method === 'POST' ? await formOf(request) : url.searchParams, pending)
    case '/bye':
    case '/other-bye':
    case '/tenant-bye':
      return { html: farewellPage() }
    default:
      return { html: page('Nothing here', ''), status: 404 }
  }
}

function begin(url: URL, pending: Map<string, Pending>, fixed: Record<string, string>): string {
  const { app = 'spa', exchange: where, ...extra } = Object.fromEntries(url.searchParams)
  if (!isApp(app)) throw new Error(`there is no app ${app}`)
  const request = newPending(app, `${url.origin}/callback`, where === 'browser')
  pending.set(request.state, request)
  return authorizeUrl(request, { ...extra, ...fixed })
}

const isApp = (name: string): name is AppName => name in APPS

async function hear(parameters: URLSearchParams, pending: Map<string, Pending>): Promise<Answer> {
  const state = parameters.get('state')
  if (state === null) return { html: fragmentPage() }
  const request = pending.get(state)
  if (!request) return { html: refusalPage('foreign_state', 'This app did not ask for that.') }
  const error = parameters.get('error')
  if (error !== null) return { html: refusalPage(error, parameters.get('error_description') ?? '') }
  const code = parameters.get('code') ?? ''
  if (request.inBrowser) return { html: exchangePage(exchangeForm(request, code)) }
  const exchanged = await exchange(request, code)
  if ('error' in exchanged) return { html: refusalPage(exchanged.error, exchanged.description) }
  return { html: welcomePage(exchanged.tokens) }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
