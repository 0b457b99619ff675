// The client address of a request behind Next (threat-model.md RL3). Next shows its routes no socket and forwards any
// X-Forwarded-For header, so this file writes the socket's address into a separate header before Next runs.
// - A value that the client sent under that name is overwritten, and the header counts only where it is always overwritten.
// - On Vercel the platform states the client address, in a header that clients cannot set.
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '../http/message'
import { createPeerReader } from '../http/peer'
import { originForm } from '../http/target'
import type { Env } from '../settings/env'
import { isSecondaryProcess } from './secondary-process'

export type AddressReader = (headers: HttpRequest['headers']) => string

export const SOCKET_HEADER = 'x-latchkey-socket'
const STAMPED = Symbol.for('latchkey.socket-stamped')

/**
 * Before each request of an HTTP server that this project did not create: records the socket's address, and normalizes the
 * target so that Next cannot turn it into a redirect to another host (threat-model.md BF12).
 */
export function stampEverySocket(): void {
  if (Reflect.get(globalThis, STAMPED) === true) return
  Reflect.set(globalThis, STAMPED, true)
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    request.headers[SOCKET_HEADER] = request.socket.remoteAddress ?? ''
    request.url = originForm(request.url ?? '', request.headers.host)
  })
}

export function createAddressReader({
  trustedProxies,
  platform,
}: Pick<Env, 'trustedProxies' | 'platform'>): AddressReader {
  const peerOf = createPeerReader(trustedProxies)
  if (platform === 'vercel') return (headers) => peerOf(headers['x-real-ip'], undefined)
  const stamped = (): boolean => isSecondaryProcess() || Reflect.get(globalThis, STAMPED) === true
  return (headers) => peerOf(stamped() ? headers[SOCKET_HEADER] : undefined, headers['x-forwarded-for'])
}
