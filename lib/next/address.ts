// Whose request it is, behind Next (threat-model.md RL3). Next shows its routes no socket, and passes on whatever
// X-Forwarded-For a client made up, so the address of the socket is written into a header of our own before Next runs:
// - what a client sent under that name is overwritten, and the header counts only where somebody overwrites it;
// - on Vercel the platform names the client itself, in a header that nobody can bring along.
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
 * For servers that are not ours, before each of their requests: whose it is, and a target of which Next cannot make a
 * redirect to another host (threat-model.md BF12).
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
