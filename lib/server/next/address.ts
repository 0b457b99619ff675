// The client of a request behind Next (threat-model.md RL3). Next shows its routes no socket and forwards any
// X-Forwarded-For header, so the edge (edge.ts) writes the socket's address into a separate header before Next runs.
// - A value that the client sent under that name is overwritten, and the header counts only where it is always overwritten.
// - On Vercel the platform states the client address, in a header that clients cannot set.
import type { HttpRequest } from '../../http/message'
import { createPeerReader, fingerprintIn, type Peer, type PeerSettings } from '../../http/peer'
import type { Env } from '../../settings/env'
import { isSecondaryProcess } from './secondary-process'

export type ReadPeer = (headers: HttpRequest['headers']) => Peer

export const SOCKET_HEADER = 'x-latchkey-socket'
const STATED = Symbol.for('latchkey.socket-stated')

/** From now on every request of this process has the header. */
export const stateSockets = (): void => void Reflect.set(globalThis, STATED, true)
export const areSocketsStated = (): boolean => Reflect.get(globalThis, STATED) === true

/** Set by Vercel, in place of what a client sends. */
const OF_VERCEL = { ja4: 'x-vercel-ja4-digest' }

export function createReadPeer({ platform, ...settings }: PeerSettings & Pick<Env, 'platform'>): ReadPeer {
  const peerOf = createPeerReader(settings)
  if (platform === 'vercel')
    return (headers) => ({ ...peerOf(headers['x-real-ip'], {}), ...fingerprintIn(headers, OF_VERCEL) })
  return (headers) => peerOf(isSecondaryProcess() || areSocketsStated() ? headers[SOCKET_HEADER] : undefined, headers)
}
