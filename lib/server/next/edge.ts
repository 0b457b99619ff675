// The edge in front of Next under `next start`, where this project creates no server: before each request Next's own server is
// shown what is left to answer (threat-model.md BF12, BF23). A refused request goes to the route that answers refusals
// (refusal-path.ts), as a GET, because Next has no Request for some methods.
// - On a platform proxy.ts is the edge of pages; other paths are judged by their endpoints.
// - It also states the socket's address in a header (address.ts).
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { checkRequestHead, judgedHeaders } from '../../http/edge'
import type { HttpRequest } from '../../http/message'
import { NOWHERE, pathOf } from '../../http/target'
import { areSocketsStated, SOCKET_HEADER, stateSockets } from './address'
import { gateAt } from './gates'
import { gateOfNext } from './page-paths'
import { refusalPath } from './refusal-path'

export function standInFront(appUrl: string): void {
  if (areSocketsStated()) return
  stateSockets()
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    request.headers[SOCKET_HEADER] = request.socket.remoteAddress ?? ''
    admit(request, appUrl)
  })
}

function admit(request: IncomingMessage, appUrl: string): void {
  const headers = request.headers as HttpRequest['headers']
  const { method = '', url = '' } = request
  const { target, refused } = checkRequestHead({ method, target: url, headers }, gateAt, appUrl)
  const path = pathOf(target)
  request.url = refused ? refusalPath(refused, path) : isInternal(path) ? NOWHERE : target
  if (refused) request.method = 'GET'
  if (refused || !gateOfNext(path)) for (const name of RENDERING) delete request.headers[name]
  if (method === 'POST') Object.assign(request.headers, judgedHeaders(headers, appUrl))
}

/** With these, Next redirects even the requests of an endpoint. */
const RENDERING = ['rsc', 'next-router-state-tree', 'next-router-prefetch', 'next-router-segment-prefetch', 'next-url']

/** Pages of Next's that are no addresses, such as `/_not-found`: they have no policy. */
const isInternal = (path: string): boolean => /^\/(?:_[^/]*|404|500)\/?$/.test(path)
