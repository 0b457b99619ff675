// A POST to an address that somebody else registered (threat-model.md SE8): it reaches no machine that it should not.
// - https; plain http only to this machine in demo mode, and wherever the operator allows private addresses.
// - The name is looked up once, each address it has is judged, and the connection is made to one that was judged, so a
//   name that changes its mind in between leads nowhere else.
// - No redirect is followed, nothing of the answer is read but its status, and every wait is bounded.
import { lookup as lookUp } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { DeliveryError } from '../message'

export type OutboundPolicy = { allowLoopback: boolean; allowPrivate: boolean }

const TIMEOUT_MS = 10_000

export const postForm = (
  address: string,
  fields: Record<string, string>,
  policy: OutboundPolicy,
): Promise<{ status: number }> =>
  post(
    address,
    { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString(), headers: {} },
    policy,
  )

export type OutboundBody = { type: string; body: string; headers: Readonly<Record<string, string>> }

export async function post(address: string, body: OutboundBody, policy: OutboundPolicy): Promise<{ status: number }> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowed(host, policy)) throw new DeliveryError('EFORBIDDENADDRESS', true)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain(host, policy))) {
    throw new DeliveryError('EPLAINHTTP', true)
  }
  return send(url, body, judgedLookup(policy))
}

const mayBePlain = (host: string, { allowLoopback, allowPrivate }: OutboundPolicy): boolean =>
  allowPrivate || (allowLoopback && (host === 'localhost' || (isIP(host) !== 0 && rangeOf(host) === 'loopback')))

const rangeOf = (address: string): string => ipaddr.process(address).range()

export function isAllowed(address: string, { allowLoopback, allowPrivate }: OutboundPolicy): boolean {
  switch (rangeOf(address)) {
    case 'unicast':
      return true
    case 'loopback':
      return allowLoopback || allowPrivate
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return allowPrivate
    default:
      return false
  }
}

const judgedLookup =
  (policy: OutboundPolicy): LookupFunction =>
  (hostname, options, done) =>
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const allowed = addresses.filter(({ address }) => isAllowed(address, policy))
      const [first] = allowed
      if (!first) return done(Object.assign(new Error('no address is allowed'), { code: 'EFORBIDDENADDRESS' }), '')
      if (options.all) done(null, allowed)
      else done(null, first.address, first.family)
    })

async function send(
  url: URL,
  { type, body, headers: own }: OutboundBody,
  lookup: LookupFunction,
): Promise<{ status: number }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const headers = {
    ...own,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  }
  const begin = url.protocol === 'https:' ? httpsRequest : httpRequest
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      begin(url, { method: 'POST', headers, lookup, signal, agent: false }, resolve).on('error', reject).end(body)
    })
    answer.destroy()
    return { status: answer.statusCode ?? 0 }
  } catch (error) {
    throw asDeliveryError(error)
  }
}

/** The system's code only: a message may repeat the address. */
function asDeliveryError(error: unknown): DeliveryError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN'
  return new DeliveryError(code, code === 'EFORBIDDENADDRESS', error)
}
