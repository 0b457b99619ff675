// `http` and `https` of actions as clients, compared with Node's own against a server of the test's own.
import { once } from 'node:events'
import { createServer, get as getOfNode, request as requestOfNode } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionBench, actionBench, loginEvent } from '../../../testing/actions'

const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts).toString()
  const { pathname } = new URL(request.url ?? '/', 'http://x')
  if (pathname === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
  else if (pathname === '/moved') response.writeHead(302, { location: '/echo' }).end('moved')
  else if (pathname === '/hang') return
  else if (pathname === '/cut') {
    response.writeHead(200, { 'content-length': '100' }).write('part')
    setTimeout(() => request.socket.destroy(), 20)
  } else {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.setHeader('x-two', ['1', '2'])
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers
    response.end(JSON.stringify({ method: request.method, url: request.url, headers, body }))
  }
})

let bench: ActionBench
let origin = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  bench = actionBench()
})
afterAll(() => {
  bench.close()
  server.closeAllConnections()
  server.close()
})

/** What the code sets as `out`, in an action. */
async function inside(body: string): Promise<unknown> {
  const engine = bench.login(`
    const http = require('http')
    const origin = ${JSON.stringify(origin)}
    let out
    ${body}
    api.idToken.setCustomClaim('https://a.test/out', JSON.stringify(out))`)
  const effects = await engine.run('post-login', loginEvent())
  const [record] = engine.records
  if (effects.denied) throw new Error(record?.reason ?? 'denied')
  return JSON.parse(String(effects.idTokenClaims['https://a.test/out'] ?? 'null'))
}

const READ = `const read = (response) => new Promise((resolve, reject) => {
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (part) => { text += part })
  response.on('end', () => resolve(text))
  response.on('error', reject)
})`

/** The same code in Node and in an action. */
const CODES: Record<string, string> = {
  'get by an address':
    "await new Promise((resolve) => http.get(origin + '/echo?a=1', async (r) => { out = JSON.parse(await read(r)); resolve() }))",
  'get by options':
    "const u = new URL(origin); await new Promise((resolve) => http.get({ hostname: u.hostname, port: u.port, path: '/echo' }, async (r) => { out = JSON.parse(await read(r)); resolve() }))",
  'options beside an address':
    "await new Promise((resolve) => { const r = http.request(origin + '/other', { method: 'PUT', path: '/echo', headers: { 'X-A': 'b', accept: 'text/plain' } }, async (m) => { out = JSON.parse(await read(m)); resolve() }); r.end('text') })",
  'a body in pieces':
    "await new Promise((resolve) => { const r = http.request(origin + '/echo', { method: 'POST' }); r.on('response', async (m) => { out = JSON.parse(await read(m)).body; resolve() }); r.write('one '); r.write(Buffer.from('two')); r.end() })",
  'the head of an answer':
    "await new Promise((resolve) => http.get(origin + '/echo', async (r) => { out = [r.statusCode, r.statusMessage, r.headers['set-cookie'], r.headers['x-two'], r.httpVersion, r.rawHeaders.includes('set-cookie')]; await read(r); out.push(r.complete); resolve() }))",
  'a redirect that is not followed':
    "await new Promise((resolve) => http.get(origin + '/moved', async (r) => { out = [r.statusCode, r.headers.location, await read(r)]; resolve() }))",
  'a body that stays packed':
    "await new Promise((resolve) => http.get(origin + '/gzip', (r) => { const parts = []; r.on('data', (p) => parts.push(p)); r.on('end', () => { out = require('zlib').gunzipSync(Buffer.concat(parts)).toString(); resolve() }) }))",
  'credentials of an address':
    "await new Promise((resolve) => http.get(origin.replace('//', '//me:pw%21@') + '/echo', async (r) => { out = JSON.parse(await read(r)).headers.authorization; resolve() }))",
  'a loop over the body':
    "const m = await new Promise((resolve) => http.get(origin + '/echo', resolve)); out = ''; for await (const part of m) out += part; out = JSON.parse(out).method",
  'a request that is given up':
    "await new Promise((resolve) => { const r = http.get(origin + '/hang'); r.on('error', (e) => { out = [e.code, r.destroyed]; resolve() }); setTimeout(() => r.destroy(), 20) })",
  'a time limit':
    "await new Promise((resolve) => { const r = http.get(origin + '/hang', { timeout: 20 }); out = []; r.on('timeout', () => { out.push('timeout'); r.destroy(new Error('slow')) }); r.on('error', (e) => { out.push(e.message); resolve() }) })",
  'an answer that is cut':
    "await new Promise((resolve) => http.get(origin + '/cut', (r) => { r.on('error', (e) => { out = [e.code, r.complete]; resolve() }); r.resume() }))",
  'a signal':
    "await new Promise((resolve) => { const c = new AbortController(); const r = http.get(origin + '/hang', { signal: c.signal }); r.on('error', (e) => { out = [e.name, e.code]; resolve() }); setTimeout(() => c.abort(), 20) })",
  'headers that are set':
    "const r = http.request(origin + '/echo'); r.setHeader('X-One', '1'); r.setHeader('x-gone', '1'); r.removeHeader('X-Gone'); out = [r.getHeader('x-one'), r.hasHeader('x-gone'), r.getHeaderNames(), r.method, r.path]; r.on('error', () => {}); r.destroy()",
  'an invalid header': "try { http.request(origin, { headers: { 'a b': '1' } }) } catch (e) { out = [e.code, e.name] }",
  'an invalid protocol': "try { http.request('ftp://a.test') } catch (e) { out = e.code }",
  'the lists':
    "out = [http.METHODS.includes('PATCH'), http.STATUS_CODES[404], typeof http.Agent, http.globalAgent.defaultPort, require('https').globalAgent.protocol]",
}

async function outside(body: string): Promise<unknown> {
  const run = new Function(
    'http',
    'origin',
    'require',
    `return (async () => { let out; ${READ}; ${body}; return JSON.parse(JSON.stringify(out ?? null)) })()`,
  )
  const modules: Record<string, unknown> = { zlib: await import('node:zlib'), https: await import('node:https') }
  const http = { ...(await import('node:http')), get: getOfNode, request: requestOfNode }
  return run(http, origin, (name: string) => modules[name])
}

describe('http', () => {
  it.each(Object.entries(CODES))('does as Node.js: %s', async (_what, body) => {
    const expected = await outside(body)
    expect(expected).not.toBeNull()
    expect(await inside(`${READ}\n${body}`)).toEqual(expected)
  })

  it('is recorded, and judged as every request is', async () => {
    const engine = bench.login(`
      const http = require('node:http')
      const failed = (url) => new Promise((resolve) => http.get(url).on('error', (error) => resolve(error.code)))
      console.log(await failed('http://169.254.169.254/latest'), await failed('http://10.0.0.1/'))`)
    await engine.run('post-login', loginEvent())
    const [record] = engine.records
    expect(record?.outcome).toBe('ok')
    const requests = record?.lines.filter(({ level }) => level === 'request').map(({ text }) => text) ?? []
    expect(requests).toHaveLength(2)
    expect(requests[0]).toMatch(/^GET 169\.254\.169\.254 failed: /)
    expect(record?.lines.find(({ level }) => level === 'log')?.text).not.toContain('undefined')
  })

  it('has no server', async () => {
    await expect(inside('http.createServer()')).rejects.toThrow('actions have no server')
  })
})
