// The status of the document that a page of Next's is. Next lets a page choose none, and its own `notFound()` answers with a document
// that is empty without scripts. So the page finds the response of its request, before anything of it is sent.
// - Node states each request and its response on a channel (`next start`, the secondary process, a function). Where a host has no such
//   response, the status stays 200.
// - What scripts ask for keeps 200: Next's router loads the whole document anew at any other status.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Next loads a copy of every module per route, so a module variable would exist several times. */
const PLACE = Symbol.for('latchkey.next-response')

type Answering = { response: ServerResponse; isDocument: boolean }

const answering = (): AsyncLocalStorage<Answering> | undefined => Reflect.get(globalThis, PLACE)

export function keepResponses(): void {
  if (answering()) return
  const current = new AsyncLocalStorage<Answering>()
  Reflect.set(globalThis, PLACE, current)
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const { rsc, 'next-action': action } = request.headers
    current.enterWith({ response, isDocument: rsc === undefined && action === undefined })
  })
}

/** A page calls this before it returns what it shows. */
export function setDocumentStatus(status: number): void {
  const { response, isDocument } = answering()?.getStore() ?? {}
  if (response && isDocument && !response.headersSent) response.statusCode = status
}
