// `fetch` of actions against a server of the test's own, and what the guard, the limits and the record make of it.
import type { lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionBench, actionBench, loginEvent } from '../../../testing/actions'

const MIB = 1024 * 1024
const seen: {
  method?: string | undefined
  url?: string | undefined
  headers: IncomingMessage['headers']
  body: string
}[] = []
let closedEarly = 0

type Answer = (response: ServerResponse, request: IncomingMessage, body: Buffer) => void

const ANSWERS: Record<string, Answer> = {
  '/json': (response) => {
    response.writeHead(200, 'Fine', { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], 'x-one': '1' })
    response.end('{"hello":"wörld"}')
  },
  '/echo': (response, { headers }, body) => {
    response.writeHead(201, { 'content-type': headers['content-type'] ?? 'none' })
    response.end(body)
  },
  '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked')),
  '/deflate': (response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('unpacked')),
  '/br': (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('unpacked')),
  '/broken-gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * MIB))),
  '/large': (response) => response.writeHead(200).end(Buffer.alloc(11 * MIB, 'x')),
  '/million': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000, 'x'))),
  '/pieces': (response) => {
    response.writeHead(200)
    response.write('one ')
    setTimeout(() => response.end('two'), 20)
  },
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to-json': (response) => response.writeHead(302, { location: '/json' }).end('moved'),
  '/see-other': (response) => response.writeHead(303, { location: '/echo' }).end(),
  '/keep': (response) => response.writeHead(307, { location: '/echo' }).end(),
  '/to-inside': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/to-file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-other': (response, { headers }) => {
    response.writeHead(302, { location: `http://other.localhost:${headers.host?.split(':')[1]}/echo` }).end()
  },
  '/hang': (_response, request) => void request.socket.on('close', () => (closedEarly += 1)),
  '/hang-body': (response, request) => {
    response.writeHead(200).write('first')
    request.socket.on('close', () => (closedEarly += 1))
  },
  '/many-headers': (response) => {
    for (let at = 0; at < 101; at += 1) response.setHeader(`x-${at}`, '1')
    response.end()
  },
  '/long-header': (response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end(),
  '/none': (response) => response.writeHead(204).end(),
  '/cut': (response, request) => {
    response.writeHead(200, { 'content-length': '100' }).write('part')
    setTimeout(() => request.socket.destroy(), 20)
  },
}

const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts)
  seen.push({ method: request.method, url: request.url, headers: request.headers, body: body.toString('latin1') })
  const answer = ANSWERS[(request.url ?? '').replace(/\?.*/, '')]
  if (answer) answer(response, request, body)
  else response.writeHead(404).end()
})

let origin = ''
const benches: ActionBench[] = []
const open = (...args: Parameters<typeof actionBench>): ActionBench => {
  const bench = actionBench(...args)
  benches.push(bench)
  return bench
}
const bench = open()

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  for (const each of benches) each.close()
  server.closeAllConnections()
  server.close()
})

const PRELUDE = `
  const origin = 'ORIGIN'
  const show = (value) => console.log(JSON.stringify(value))
  const failure = async (doing) => { try { const answer = await doing(); return answer } catch (error) {
    return { name: error.name, message: error.message, code: error.cause?.code, cause: error.cause?.message } } }
`

async function ran(body: string, on = bench) {
  seen.length = 0
  const engine = on.login(PRELUDE.replace('ORIGIN', origin) + body)
  await engine.run('post-login', loginEvent())
  const [record] = engine.records
  const lines = record?.lines ?? []
  const requests = lines
    .filter(({ level }) => level === 'request')
    .map(({ text }) => text.replace(/:\d+(?= )/, '').replace(/\(\d+ ms\)/, '(… ms)'))
  const shown = lines.filter(({ level }) => level === 'log').map(({ text }) => JSON.parse(text))
  return { outcome: record?.outcome, reason: record?.reason, shown, value: shown[0], requests }
}

/** What the action shows of a run that ends well. */
async function shownBy(body: string, on = bench) {
  const { outcome, reason, value } = await ran(body, on)
  expect([outcome, reason]).toEqual(['ok', null])
  return value
}

describe('an exchange', () => {
  it('has a status, headers and a body', async () => {
    const value = await shownBy(`
      const answer = await fetch(origin + '/json?x=1')
      show([answer.ok, answer.status, answer.statusText, answer.url.slice(-9), answer.redirected, answer.headers.get('X-One'),
        answer.headers.getSetCookie(), answer.bodyUsed, await answer.json(), answer.bodyUsed, await failure(() => answer.text())])`)
    expect(value).toEqual([
      ...[true, 200, 'Fine', '/json?x=1', false, '1', ['a=1', 'b=2'], false, { hello: 'wörld' }, true],
      { name: 'TypeError', message: 'Body is unusable: Body has already been read' },
    ])
    expect(seen[0]?.headers).toMatchObject({ 'user-agent': 'latchkey', accept: '*/*' })
  })

  it('sends each kind of body', async () => {
    const value = await shownBy(`
      const send = async (body, more = {}) => { const answer = await fetch(origin + '/echo', { method: 'post', body, ...more }); return [answer.headers.get('content-type'), await answer.text()] }
      const stream = new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('st')); c.enqueue(new TextEncoder().encode('ream')); c.close() } })
      show([await send('tëxt'), await send(new URLSearchParams({ a: 'b c' })), await send(Uint8Array.of(104, 105).subarray(1)), await send(new Blob(['blob'], { type: 'text/x' })),
        await send(stream, { duplex: 'half' }), await send(JSON.stringify({ a: 1 }), { headers: { 'Content-Type': 'application/json' } }),
        await send('x', { method: 'DELETE' }), await send(new Request(origin, { method: 'POST', body: 'inner' }).body, { duplex: 'half' })])`)
    const plain = 'text/plain;charset=UTF-8'
    expect(value).toEqual([
      [plain, 'tëxt'],
      ['application/x-www-form-urlencoded;charset=UTF-8', 'a=b+c'],
      ['none', 'i'],
      ['text/x', 'blob'],
      ['none', 'stream'],
      ['application/json', '{"a":1}'],
      [plain, 'x'],
      ['none', 'inner'],
    ])
    expect(seen[0]?.headers['content-length']).toBe('5')
    expect(seen[6]).toMatchObject({ method: 'DELETE', body: 'x' })
  })

  it('sends and reads forms with files', async () => {
    const value = await shownBy(`
      const form = new FormData()
      form.append('näme', 'välue')
      form.append('file', new Blob([Uint8Array.of(0, 255, 13, 10)], { type: 'image/png' }), 'a "b".png')
      const answer = await fetch(origin + '/echo', { method: 'POST', body: form })
      const back = await answer.formData()
      const file = back.get('file')
      show([back.get('näme'), file instanceof File, file.name, file.type, [...await file.bytes()], [...back.keys()]])`)
    expect(value).toEqual(['välue', true, 'a "b".png', 'image/png', [0, 255, 13, 10], ['näme', 'file']])
  })

  it('takes and makes the values of the modules of Node.js', async () => {
    const value = await shownBy(`
      const { URL: Url, URLSearchParams: Params } = require('url')
      const { TextEncoder: Encoder } = require('util')
      const answer = await fetch(new Url('/echo', origin), { method: 'POST', body: Buffer.from('büffer') })
      const back = Buffer.from(await answer.arrayBuffer())
      const form = await fetch(origin + '/echo', { method: 'POST', body: new Params({ a: '1' }) })
      show([back.toString(), form.headers.get('content-type').slice(0, 33), new Encoder().encode('x') instanceof Uint8Array])`)
    expect(value).toEqual(['büffer', 'application/x-www-form-urlencoded', true])
  })

  it('decompresses bodies', async () => {
    const value = await shownBy(`
      const texts = []
      for (const path of ['/gzip', '/deflate', '/br']) texts.push(await (await fetch(origin + path)).text())
      const broken = await failure(async () => (await fetch(origin + '/broken-gzip')).text())
      show([texts, broken.name, broken.message, broken.code])`)
    expect(value).toEqual([['unpacked', 'unpacked', 'unpacked'], 'TypeError', 'terminated', 'Z_DATA_ERROR'])
  })

  it('is read as a stream, cloned, and given up', async () => {
    const value = await shownBy(`
      const text = new TextDecoder()
      let streamed = ''
      for await (const part of (await fetch(origin + '/pieces')).body) streamed += text.decode(part, { stream: true })
      const answer = await fetch(origin + '/json')
      const copy = answer.clone()
      const reader = (await fetch(origin + '/hang-body')).body.getReader()
      const first = text.decode((await reader.read()).value)
      await reader.cancel()
      const none = await fetch(origin + '/none')
      show([streamed, await answer.text() === await copy.text(), first, none.body, await none.text(),
        (await (await fetch(origin + '/json')).blob()).type, (await (await fetch(origin + '/json')).arrayBuffer()).byteLength])`)
    expect(value).toEqual(['one two', true, 'first', null, '', 'application/json', 18])
  })

  it('runs beside others', async () => {
    const { outcome, value, requests } = await ran(`
      show(await Promise.all([1, 2, 3].map(async (n) => (await fetch(origin + '/pieces?' + n)).text())))`)
    expect([outcome, value, requests]).toEqual([
      'ok',
      Array(3).fill('one two'),
      Array(3).fill('GET 127.0.0.1 200 (… ms)'),
    ])
  })
})

describe('redirects', () => {
  it('are followed, with the method and body that each leaves', async () => {
    const value = await shownBy(`
      const to = async (path, init) => { const answer = await fetch(origin + path, init); return [answer.status, answer.redirected, answer.url.replace(origin, ''), await answer.text()] }
      show([(await to('/to-json'))[2], await to('/see-other', { method: 'POST', body: 'x' }), await to('/keep', { method: 'PUT', body: 'kept' })])`)
    expect(value).toEqual(['/json', [201, true, '/echo', ''], [201, true, '/echo', 'kept']])
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'GET', 'PUT', 'PUT'])
    expect(seen[3]?.headers['content-type']).toBeUndefined()
  })

  it('are shown or refused on wish, and end after twenty', async () => {
    const { value, requests } = await ran(`
      const manual = await fetch(origin + '/to-json', { redirect: 'manual' })
      show([[manual.status, manual.headers.get('location'), await manual.text()],
        await failure(() => fetch(origin + '/to-json', { redirect: 'error' })), await failure(() => fetch(origin + '/loop'))])`)
    const refused = {
      ...{ name: 'TypeError', message: 'fetch failed', code: 'EREDIRECT' },
      cause: 'it redirects, which the request does not follow any more (EREDIRECT)',
    }
    expect(value).toEqual([[302, '/json', 'moved'], refused, refused])
    expect(requests).toHaveLength(2 + 21)
  })

  it('take no credentials to another origin', async () => {
    await shownBy(`
      const headers = { authorization: 'Bearer x', cookie: 'c=1', 'x-kept': 'yes' }
      show((await fetch(origin + '/to-other', { headers })).status)
      show((await fetch(origin + '/to-json', { headers })).status)`)
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'c=1' })
    expect(seen[1]?.headers).not.toHaveProperty('authorization')
    expect(seen[1]?.headers).not.toHaveProperty('cookie')
    expect(seen[1]?.headers['x-kept']).toBe('yes')
    expect(seen[3]?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'c=1' })
  })

  it('to inner addresses and to what is not of the web are refused', async () => {
    const { value, requests } = await ran(`
      show([(await failure(() => fetch(origin + '/to-inside'))).code, (await failure(() => fetch(origin + '/to-file'))).code])`)
    expect(value).toEqual(['EFORBIDDENADDRESS', 'EUNKNOWNSCHEME'])
    expect(requests[1]).toMatch(/^GET 169\.254\.169\.254 failed: its address is not public/)
  })
})

describe('the guard', () => {
  const strict = open({ allowLoopback: false, allowPrivate: false })
  const codes = (...urls: string[]) =>
    `const codes = []
    for (const url of ${JSON.stringify(urls)}) codes.push((await failure(() => fetch(url))).code)
    show(codes)`

  it('refuses inner addresses, whatever they are written as', async () => {
    const inner = [
      ...[
        'https://10.1.2.3/',
        'https://127.0.0.1/',
        'https://127.9.9.9/',
        'https://169.254.169.254/',
        'https://[::1]/',
      ],
      ...['https://192.168.0.1/', 'https://0x7f.1/', 'https://2130706433/', 'https://[::ffff:10.0.0.1]/'],
      ...[
        'https://0.0.0.0/',
        'https://[fd00::1]/',
        'https://localhost/',
        'https://x.localhost/',
        'https://100.64.0.1/',
      ],
    ]
    expect(await shownBy(codes(...inner), strict)).toEqual(inner.map(() => 'EFORBIDDENADDRESS'))
    expect(
      await shownBy(`${codes(`http://example.com/`, 'ftp://example.com/', 'file:///etc/passwd', 'data:,x')}`, strict),
    ).toEqual([...['EPLAINHTTP', 'EUNKNOWNSCHEME', 'EUNKNOWNSCHEME', 'EUNKNOWNSCHEME']])
    expect(await shownBy(`show(await failure(() => fetch('https://10.1.2.3/')))`, strict)).toEqual({
      ...{ name: 'TypeError', message: 'fetch failed', code: 'EFORBIDDENADDRESS' },
      cause: 'its address is not public; LATCHKEY_ALLOW_PRIVATE_TARGETS permits such addresses (EFORBIDDENADDRESS)',
    })
  })

  /** Answers each look-up with the next of the addresses. */
  const answering = (...addresses: string[]) => {
    const names: string[] = []
    const lookUp = (name: string, _options: unknown, done: (error: null, found: unknown) => void) => {
      names.push(name)
      done(null, [{ address: addresses[Math.min(names.length, addresses.length) - 1], family: 4 }])
    }
    return { names, lookUp: lookUp as unknown as typeof lookup }
  }

  it('refuses names that stand for inner addresses', async () => {
    const { lookUp } = answering('10.0.0.5', '169.254.169.254', '127.0.0.1')
    const on = open({ allowLoopback: false, allowPrivate: false, lookUp })
    const names = ['https://a.example/', 'https://b.example/', 'https://c.example/']
    expect(await shownBy(codes(...names), on)).toEqual(names.map(() => 'EFORBIDDENADDRESS'))
  })

  it('looks a name up once for each request, and judges what it connects to', async () => {
    const { lookUp, names } = answering('127.0.0.1', '10.0.0.1')
    const on = open({ allowLoopback: true, allowPrivate: false, lookUp })
    const value = await shownBy(
      `const url = origin.replace('127.0.0.1', 'changing.localhost') + '/none'
      show([(await fetch(url)).status, (await failure(() => fetch(url))).code])`,
      on,
    )
    expect(value).toEqual([204, 'EFORBIDDENADDRESS'])
    expect(names).toHaveLength(2)
  })

  it('says in words why a server cannot be reached', async () => {
    const lookUp = ((_name: string, _options: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))) as unknown as typeof lookup
    const on = open({ allowLoopback: true, allowPrivate: false, lookUp })
    const { value, requests } = await ran(`show(await failure(() => fetch('https://gone.example/secret/path')))`, on)
    expect(value).toEqual({
      ...{ name: 'TypeError', message: 'fetch failed', code: 'ENOTFOUND' },
      cause: 'its host name was not found (ENOTFOUND)',
    })
    expect(requests).toEqual(['GET gone.example failed: its host name was not found (ENOTFOUND) (… ms)'])
  })
})

describe('limits', () => {
  it('bound what is sent', async () => {
    const { value, requests } = await ran(`
      const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => ['x-' + at, '1']))
      show([(await failure(() => fetch(origin + '/echo', { method: 'POST', body: new Uint8Array(5 * 1024 * 1024 + 1) }))).code,
        (await failure(() => fetch(origin + '/echo', { headers: many }))).code,
        (await failure(() => fetch(origin + '/echo', { headers: { long: 'x'.repeat(33_000) } }))).code])`)
    expect(value).toEqual(['EREQUESTTOOLARGE', 'EREQUESTTOOLARGE', 'EREQUESTTOOLARGE'])
    expect([seen, requests]).toEqual([[], []])
  })

  it('bound what is received, compressed or not', async () => {
    const value = await shownBy(`
      const whole = async (path) => (await fetch(origin + path)).bytes()
      show([await failure(() => whole('/large')), (await failure(() => whole('/bomb'))).code, (await failure(() => fetch(origin + '/many-headers'))).code,
        (await failure(() => fetch(origin + '/long-header'))).code])`)
    expect(value).toEqual([
      {
        ...{ name: 'TypeError', message: 'terminated', code: 'ETOOLARGE' },
        cause: 'its answer is too large (ETOOLARGE)',
      },
      ...['ETOOLARGE', 'ETOOLARGE', 'HPE_HEADER_OVERFLOW'],
    ])
  })

  it('the parts of a body are bounded', async () => {
    const value = await shownBy(`
      const sizes = []
      for await (const part of (await fetch(origin + '/million')).body) sizes.push(part.length)
      show([Math.max(...sizes), sizes.reduce((a, b) => a + b, 0), (await (await fetch(origin + '/million')).text()).length])`)
    expect(value).toEqual([65_536, 1_000_000, 1_000_000])
  })

  it('bound the requests of a run', async () => {
    const { value, requests } = await ran(`
      for (let at = 0; at < 50; at += 1) await fetch(origin + '/none')
      show((await failure(() => fetch(origin + '/none'))).cause)`)
    expect(value).toBe('an action may make no more requests in one run (ETOOMANYREQUESTS)')
    expect([requests.length, seen.length]).toEqual([50, 50])
  })

  it('give up a service that hangs at the end of the time of the run', async () => {
    closedEarly = 0
    const engine = bench.clipped(300).login(`await fetch('${origin}/hang')`)
    await engine.run('post-login', loginEvent())
    const [record] = engine.records
    expect(record?.outcome).toBe('late')
    expect(record?.lines.map(({ text }) => text.replace(/:\d+ /, ' ').replace(/\d+ ms/, '… ms'))).toEqual([
      'GET 127.0.0.1 gave no answer (… ms)',
    ])
    await expect.poll(() => closedEarly).toBe(1)
  })

  it('end with the run: a body that is not read to its end is closed', async () => {
    closedEarly = 0
    expect(await shownBy(`show((await fetch(origin + '/hang-body')).status)`)).toBe(200)
    await expect.poll(() => closedEarly).toBe(1)
  })

  it('report an answer that breaks off', async () => {
    expect(await shownBy(`show((await failure(async () => (await fetch(origin + '/cut')).text())).code)`)).toBe(
      'ECONNRESET',
    )
  })
})

describe('signals', () => {
  it('a signal aborts before, during and after the head', async () => {
    closedEarly = 0
    const value = await shownBy(`
      const before = await failure(() => fetch(origin + '/json', { signal: AbortSignal.abort() }))
      const controller = new AbortController()
      setTimeout(() => controller.abort(new RangeError('mine')), 20)
      const during = await failure(() => fetch(origin + '/hang', { signal: controller.signal }))
      const timed = await failure(() => fetch(origin + '/hang', { signal: AbortSignal.timeout(20) }))
      const last = new AbortController()
      const answer = await fetch(origin + '/hang-body', { signal: last.signal })
      setTimeout(() => last.abort(), 20)
      const after = await failure(() => answer.text())
      show([before.name, during.name, during.message, timed.name, after.name])`)
    expect(value).toEqual(['AbortError', 'RangeError', 'mine', 'TimeoutError', 'AbortError'])
    await expect.poll(() => closedEarly).toBe(3)
    expect(seen.map(({ url }) => url)).toEqual(['/hang', '/hang', '/hang-body'])
  })
})

describe('Request, Response and Headers', () => {
  it('refuse what is no request', async () => {
    const value = await shownBy(`
      const tries = [() => new Request('/relative'), () => new Request('https://u:p@a.test/'), () => new Request('https://a.test', { body: 'x' }),
        () => new Request('https://a.test', { method: 'CONNECT' }), () => new Request('https://a.test', { method: 'a b' }),
        () => new Headers({ 'a b': 'x' }), () => new Headers({ a: 'x\\r\\ny: z' }), () => new Headers({ a: '€' }),
        () => new Response('x', { status: 204 }), () => new Response('x', { status: 99 })]
      const names = []
      for (const each of tries) names.push((await failure(each)).name)
      show(names)`)
    expect(value).toEqual([...Array(9).fill('TypeError'), 'RangeError'])
  })

  it('are made, copied and read', async () => {
    const value = await shownBy(`
      const request = new Request('https://a.test/x', { method: 'put', headers: [['A', '1'], ['a', ' 2 ']], body: '{"q":1}' })
      const again = new Request(request.clone(), { headers: { b: '3' } })
      const answer = Response.json({ ok: true }, { status: 202 })
      show([request.method, [...request.headers], await again.json(), [...again.headers.keys()], answer.status, answer.headers.get('content-type'),
        await answer.clone().json(), await answer.json(), Response.redirect('https://b.test/').headers.get('location'), Response.error().type,
        await new Response('a=1&b=2', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData().then((form) => [...form])])`)
    expect(value).toEqual([
      'PUT',
      [
        ['a', '1, 2'],
        ['content-type', 'text/plain;charset=UTF-8'],
      ],
      ...[{ q: 1 }, ['b'], 202, 'application/json', { ok: true }, { ok: true }, 'https://b.test/', 'error'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ])
  })
})
