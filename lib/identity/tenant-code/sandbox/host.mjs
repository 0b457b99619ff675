// The host functions of an action: the list that records its calls, a cache, and signing and verification of the redirect token.
// All input is text and untrusted.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { cacheOf } from './cache.mjs'
import { CALLS, SAME } from './calls.mjs'

/** @typedef {{ calls: [string, string][], lines: [string, string][], droppedLines: number, size: number, tooMuch: boolean, end: null | 'end' | [string, string, string] }} Heard */

/** `started`, `startedBytes`: what one slice starts or gives up, copied out of the memory that the interpreter is bounded by. */
export const LIMITS = {
  started: 2000,
  startedBytes: 16 * 1024 * 1024,
  text: 65_536,
  calls: 200,
  callText: 65_536,
  lines: 100,
  lineText: 1000,
  allLines: 16_384,
}

/** @returns {Heard} */
export const nothingHeard = () => ({
  calls: [],
  lines: [],
  droppedLines: 0,
  size: 0,
  tooMuch: false,
  end: null,
})

/**
 * @typedef {object} Run
 * @property {Heard} heard
 * @property {any} job
 * @property {number} printed
 * @property {object[]} started
 * @property {string | null} needs the part of the platform that only the large image has
 * @property {number} [startedBytes]
 * @property {boolean} [own] whether it took what differs from run to run
 */

/**
 * Handles one call of an action; the action receives a thrown error as an Error.
 * @param {Run} run
 * @param {string} name
 * @param {string | null} text null if it was too long to be passed
 * @param {Uint8Array | null} bytes
 * @returns {string | Uint8Array | undefined}
 */
export function hear(run, name, text, bytes) {
  const { heard, job } = run
  if (name === 'need') {
    run.needs ??= text
    return undefined
  }
  if (name === 'random') {
    run.own = true
    return undefined
  }
  if (name === 'call') return answered(run, text, bytes)
  if (name.startsWith('console.')) return print(run, name.slice('console.'.length), text)
  if (text === null) return overflow(heard)
  if (heard.end !== null) return undefined
  if (name === 'end') heard.end = 'end'
  else if (name === 'fail') heard.end = failureOf(text)
  else if (name === 'begin') begin(run, text, bytes)
  else if (name === 'cancel') start(run, { id: Number(text), cancel: true }, text.length)
  else if (name in ANSWERS && job.methods.includes(name))
    return JSON.stringify(ANSWERS[name](JSON.parse(text), job) ?? null)
  else if (job.methods.includes(name)) record(heard, name, text)
  return undefined
}

/** A refusal is an answer too: the guest throws it as an error of its own. */
function answered(run, text, bytes) {
  try {
    const [name, args] = JSON.parse(text)
    if (!SAME.has(name)) run.own = true
    const answer = Object.hasOwn(CALLS, name) ? CALLS[name](args, bytes) : refuse(name)
    return answer instanceof Uint8Array ? answer : JSON.stringify({ value: answer })
  } catch (error) {
    const { name, message, code } = error
    return JSON.stringify({ error: { name: String(name), message: String(message), code } })
  }
}

function refuse(name) {
  throw new TypeError(`there is no operation ${name}`)
}

/** The caller of the slice does what was started, and answers in a later slice. */
function begin(run, text, bytes) {
  const [id, name, args] = JSON.parse(text)
  start(run, { id, name, args, bytes }, text.length + (bytes?.length ?? 0))
}

function start(run, one, size) {
  run.startedBytes = (run.startedBytes ?? 0) + size
  if (run.started.length >= LIMITS.started || run.startedBytes > LIMITS.startedBytes) return overflow(run.heard)
  run.started.push(one)
}

const failureOf = (text) => {
  const [name, message, stack] = JSON.parse(text)
  return [String(name), String(message), String(stack)]
}

function record(heard, name, text) {
  heard.size += text.length
  if (heard.calls.length >= LIMITS.calls || heard.size > LIMITS.callText) return overflow(heard)
  heard.calls.push([name, text])
}

function overflow(heard) {
  heard.tooMuch = true
  throw new RangeError('An action may ask for no more than this')
}

function print(run, level, text) {
  const line = (text ?? '').slice(0, LIMITS.lineText)
  run.printed += line.length
  if (run.heard.lines.length >= LIMITS.lines || run.printed > LIMITS.allLines) run.heard.droppedLines += 1
  else run.heard.lines.push([level, line])
  return undefined
}

const ANSWERS = {
  'cache.get': ([key], job) => cacheOf(job.cache).get(key, job.now),
  'cache.set': ([key, value, options], job) => cacheOf(job.cache).set(key, value, options ?? {}, job.now),
  'cache.delete': ([key], job) => cacheOf(job.cache).delete(key),
  'redirect.encodeToken': ([options], job) => encodeToken(options ?? {}, job),
  'redirect.validateToken': ([options], job) => validateToken(options ?? {}, job),
  'redirect.canRedirect': (_args, job) => canRedirect(JSON.parse(job.event).transaction ?? {}),
  'rules.wasExecuted': ([id], job) => job.rules?.includes(id) === true,
}

/** Grants have no browser, except that of a device. */
const canRedirect = ({ protocol = '', prompt = [] }) =>
  !prompt.includes('none') && (!protocol.startsWith('oauth2-') || protocol === 'oauth2-device-code')

const base64url = (text) => Buffer.from(text).toString('base64url')
const sign = (secret, signed) => createHmac('sha256', secret).update(signed).digest()

function checkSecret(secret) {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be a text')
}

/** A JWT (HS256, RFC 7519) about this user, for the page that the browser is sent to. */
function encodeToken({ secret, payload, expiresInSeconds = 900 }, job) {
  checkSecret(secret)
  if (typeof expiresInSeconds !== 'number') throw new TypeError('expiresInSeconds must be a number')
  const { request, user } = JSON.parse(job.event)
  const now = Math.floor(job.now / 1000)
  const standard = { iss: request?.hostname, sub: user?.user_id, ip: request?.ip, iat: now }
  const claims = { ...standard, exp: now + Math.floor(expiresInSeconds), ...payload }
  const signed = `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(JSON.stringify(claims))}`
  return `${signed}.${sign(secret, signed).toString('base64url')}`
}

/** The claims of the token in the returning request: signed with the secret, for this user and this login, and not expired. */
function validateToken({ secret, tokenParameterName = 'session_token' }, job) {
  checkSecret(secret)
  const { request, user } = JSON.parse(job.event)
  const given = { ...request?.query, ...request?.body }
  const invalid = (why) => new Error(`The session token is invalid: ${why}`)
  const parts = String(given[tokenParameterName] ?? '').split('.')
  if (parts.length !== 3) throw invalid(`there is none in ${tokenParameterName}`)
  const [header, body, signature] = parts.map((part) => Buffer.from(part, 'base64url'))
  const expected = sign(secret, `${parts[0]}.${parts[1]}`)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw invalid('its signature')
  const claims = JSON.parse(body.toString())
  if (JSON.parse(header.toString()).alg !== 'HS256') throw invalid('its algorithm')
  if (claims.sub !== user?.user_id) throw invalid('sub is not this user')
  if (claims.state !== given.state) throw invalid('state is not of this login')
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= job.now) throw invalid('it has expired')
  return claims
}
