// A browser without a socket: `send` passes plain data through the endpoint table and keeps cookies like a browser. Every
// response header must be one that Node would send; an invalid header fails the test.
import { validateHeaderValue } from 'node:http'
import { runEndpoint } from '../http/endpoint'
import type { HttpRequest, HttpResponse } from '../http/message'
import { createRouter } from '../http/route'
import type { Random } from '../kernel/random'
import { ENDPOINTS } from '../server/endpoints/index'
import type { Runtime } from '../server/runtime/runtime'
import { checkDescribed } from './described'

/** Undefined values are not sent. */
export type FormFields = Record<string, string | undefined>

export type TestRequest = {
  query?: FormFields | string
  form?: FormFields | string
  json?: unknown
  /** Raw bytes; the test sets the content type. */
  body?: Uint8Array
  headers?: Record<string, string>
}

export type TestResponse = HttpResponse & {
  header(name: string): string | undefined
  json(): Record<string, unknown>
  text: string
}

export type Browser = {
  cookies: Map<string, string>
  get(path: string, ask?: TestRequest): Promise<TestResponse>
  post(path: string, ask?: TestRequest): Promise<TestResponse>
  send(method: string, path: string, ask?: TestRequest): Promise<TestResponse>
}

/** `described`: false for requests that no client would send, so that the API reference need not describe them. */
export type BrowserOptions = Partial<Pick<HttpRequest, 'ip' | 'fingerprint'>> & {
  host?: string
  userAgent?: string
  described?: boolean
}

const route = createRouter(ENDPOINTS)

export function createBrowser(
  runtimeFor: (host: string) => Promise<Runtime>,
  random: Random,
  { ip = '198.51.100.7', fingerprint, host = 'id.test', userAgent, described = true }: BrowserOptions = {},
): Browser {
  const cookies = new Map<string, string>()
  const send = async (method: string, target: string, ask: TestRequest = {}): Promise<TestResponse> => {
    const url = new URL(target, `https://${host}`)
    for (const [name, value] of encode(ask.query ?? '')) url.searchParams.append(name, value)
    const match = route(url.pathname)
    if (!match) throw new Error(`no endpoint answers ${url.pathname}`)
    const headers = { host, ...(userAgent ? { 'user-agent': userAgent } : {}), ...headersOf(ask, cookies) }
    const streams = match.endpoint.streams?.({ method, headers }) ?? false
    const request: HttpRequest = {
      id: random.token(6),
      method,
      path: url.pathname,
      params: match.params,
      query: url.searchParams,
      search: url.search.slice(1),
      headers,
      body: streams ? new Uint8Array() : bodyOf(ask),
      stream: streams ? pieces(bodyOf(ask)) : undefined,
      ip,
      ...(fingerprint && { fingerprint }),
    }
    const runtime = await runtimeFor(host)
    const response = await wholeBody(await runEndpoint(match.endpoint, request, runtime))
    if (described) await checkDescribed(match.endpoint, request, response, runtime)
    for (const [name, value] of response.headers) validateHeaderValue(name, value)
    keepCookies(response, cookies)
    return answerOf(response)
  }
  return {
    cookies,
    send,
    get: (path, ask) => send('GET', path, ask),
    post: (path, ask) => send('POST', path, ask),
  }
}

const PIECE = 1021

/** A body as a socket delivers it: boundaries and characters are cut anywhere. */
async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE)
}

async function wholeBody({ stream, ...response }: HttpResponse): Promise<HttpResponse> {
  if (!stream) return response
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { ...response, body: Buffer.concat(chunks) }
}

function headersOf(ask: TestRequest, cookies: Map<string, string>): Record<string, string> {
  const type = ask.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    ...(ask.json === undefined && ask.form === undefined ? {} : { 'content-type': type }),
    ...(cookie === '' ? {} : { cookie }),
    ...ask.headers,
  }
}

function bodyOf({ json, form, body }: TestRequest): Uint8Array {
  if (body !== undefined) return body
  if (json !== undefined) return Buffer.from(typeof json === 'string' ? json : JSON.stringify(json))
  return form === undefined ? new Uint8Array() : Buffer.from(encode(form).toString())
}

function keepCookies({ headers }: HttpResponse, cookies: Map<string, string>): void {
  for (const [name, value] of headers) {
    if (name !== 'set-cookie') continue
    const [pair = '', ...attributes] = value.split('; ')
    const split = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, split))
    else cookies.set(pair.slice(0, split), pair.slice(split + 1))
  }
}

const answerOf = (response: HttpResponse): TestResponse => {
  const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString()
  return {
    ...response,
    text,
    header: (name) => response.headers.find(([known]) => known === name)?.[1],
    json: () => JSON.parse(text) as Record<string, unknown>,
  }
}

const encode = (fields: FormFields | string): URLSearchParams =>
  new URLSearchParams(typeof fields === 'string' ? fields : sent(fields))

export const sent = (fields: FormFields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))
