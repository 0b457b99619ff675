// Requests the discovery document at the server's own public URL as a client would, through DNS, proxy and TLS. Used by the doctor
// only. The URL is the operator's (APP_URL), so private addresses are allowed.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import { inWords } from '../../kernel/network-failure'

export type Certificate = { begins: Date; ends: Date }

/** The result of a request to the server's own public address. */
export type OwnAddress =
  | { outcome: 'answered'; issuer: string; certificate: Certificate | null }
  | { outcome: 'failed'; reason: string }

const PATIENCE_MS = 5_000
const MAX_SIZE = 64 * 1024

export function askOwnAddress(appUrl: string): Promise<OwnAddress> {
  const url = new URL('/.well-known/openid-configuration', appUrl)
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const failed = (reason: string): void => resolve({ outcome: 'failed', reason })
    // A connection of its own: one that resumes a TLS session has no certificate.
    const asking = ask(url, { timeout: PATIENCE_MS, agent: false }, (answer) => {
      const certificate = certificateOf(answer.socket)
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
        if (text.length > MAX_SIZE) asking.destroy()
      })
      answer.on('end', () => {
        const issuer = issuerIn(text)
        if (answer.statusCode === 200 && issuer !== null) resolve({ outcome: 'answered', issuer, certificate })
        else failed(`HTTP ${answer.statusCode}, and no discovery document`)
      })
      answer.on('error', (error) => failed(error.message))
    })
    asking.on('timeout', () => asking.destroy(new Error(`no answer in ${PATIENCE_MS / 1000} s`)))
    asking.on('error', (error) => failed('code' in error ? inWords(String(error.code)) : error.message))
    asking.end()
  })
}

function certificateOf(socket: unknown): Certificate | null {
  if (!(socket instanceof TLSSocket)) return null
  const { valid_from, valid_to } = socket.getPeerCertificate()
  return { begins: new Date(valid_from), ends: new Date(valid_to) }
}

function issuerIn(text: string): string | null {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown }
    return typeof issuer === 'string' ? issuer : null
  } catch {
    return null
  }
}
