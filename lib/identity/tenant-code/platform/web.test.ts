// The interfaces of the web that answer at once, seen from an action.
import { afterAll, expect, test } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'

const bench = actionBench()
afterAll(() => bench.close())

/** What the action prints. */
async function printed(body: string): Promise<unknown> {
  const engine = bench.login(`const show = (value) => console.log(JSON.stringify(value))\n${body}`)
  await engine.run('post-login', loginEvent())
  const [record] = engine.records
  expect([record?.outcome, record?.reason]).toEqual(['ok', null])
  const texts = record?.lines.map(({ text }) => JSON.parse(text)) ?? []
  return texts.length === 1 ? texts[0] : texts
}

test('URL reads, resolves and changes addresses as Node.js does', async () => {
  const body = `
    const url = new URL('../b?x=1#h', 'https://user:pw@Example.COM:8443/a/c/')
    url.searchParams.append('y', 'a b&ü')
    url.pathname = '/ä'
    url.hash = ''
    const { href, origin, host, username, search } = url
    const tried = []
    for (const bad of ['no address', 'https://', undefined]) try { new URL(bad) } catch (error) { tried.push([error.name, error.code ?? null]) }
    url.search = '?z=2'
    show([href, origin, host, username, search, url.searchParams.get('z'), JSON.stringify({ url }), tried,
      URL.canParse('/a'), URL.canParse('/a', 'https://a.test'), String(url) === url.href])`
  expect(await printed(body)).toEqual([
    'https://user:pw@example.com:8443/%C3%A4?x=1&y=a+b%26%C3%BC',
    'https://example.com:8443',
    'example.com:8443',
    'user',
    '?x=1&y=a+b%26%C3%BC',
    '2',
    '{"url":"https://user:pw@example.com:8443/%C3%A4?z=2"}',
    [
      ['TypeError', 'ERR_INVALID_URL'],
      ['TypeError', 'ERR_INVALID_URL'],
      ['TypeError', null],
    ],
    false,
    true,
    true,
  ])
})

test('URLSearchParams reads and writes forms', async () => {
  const body = `
    const params = new URLSearchParams('?a=1&b=%C3%BC+x&a=2&bad=%FF%zz&&c')
    const all = [...params]
    params.set('a', '9'); params.delete('c'); params.sort()
    show([all, params.toString(), params.getAll('a'), params.has('b', 'ü x'), params.size,
      new URLSearchParams({ x: 1, y: "it's (so)!~*" }).toString(), new URLSearchParams([['k', 'v']]).get('k'),
      new URLSearchParams(new Map([['m', 'n']])).toString(), Object.prototype.toString.call(params)])`
  expect(await printed(body)).toEqual([
    [
      ['a', '1'],
      ['b', 'ü x'],
      ['a', '2'],
      ['bad', '\ufffd%zz'],
      ['c', ''],
    ],
    'a=9&b=%C3%BC+x&bad=%EF%BF%BD%25zz',
    ['9'],
    true,
    3,
    'x=1&y=it%27s+%28so%29%21%7E*',
    'v',
    'm=n',
    '[object URLSearchParams]',
  ])
})

test('a class that extends URLSearchParams, Headers or FormData may make its own iterators of the others', async () => {
  const body = `
    const own = (Base) => class extends Base {
      *entries() { for (const name of this.keys()) yield [name, 'own'] }
      [Symbol.iterator]() { return this.entries() }
      append() {}
    }
    const seen = []
    for (const Base of [URLSearchParams, Headers, FormData]) {
      const made = new (own(Base))()
      Base.prototype.append.call(made, 'a', '1')
      made.set('b', '2')
      made.forEach((value, name) => seen.push(name + value))
      seen.push([...made.keys()].join(), [...made.values()].join(), [...made].join(' '))
    }
    show(seen)`
  const each = ['a1', 'b2', 'a,b', '1,2', 'a,own b,own']
  expect(await printed(body)).toEqual([...each, ...each, ...each])
})

test('TextEncoder and TextDecoder know characters, broken bytes and parts of a text', async () => {
  const body = `
    const bytes = new TextEncoder().encode('aü€😀')
    const long = 'ü'.repeat(1000)
    const parts = new TextDecoder()
    let text = ''
    for (const byte of bytes) text += parts.decode(Uint8Array.of(byte), { stream: true })
    text += parts.decode()
    const into = new Uint8Array(4)
    const tried = []
    try { new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(255)) } catch (error) { tried.push(error.name) }
    try { new TextDecoder('no-such') } catch (error) { tried.push(error.name) }
    try { new TextDecoder().decode('text') } catch (error) { tried.push(error.name) }
    show([[...bytes], new TextDecoder().decode(new TextEncoder().encode(long)) === long, text,
      new TextDecoder().decode(Uint8Array.of(0xef, 0xbb, 0xbf, 97, 255)), new TextDecoder().decode(),
      new TextDecoder('utf-16le').decode(Uint8Array.of(0x3d, 0xd8, 0x00, 0xde)), new TextDecoder('latin1').decode(Uint8Array.of(0xe4, 0xf6)),
      new TextDecoder('shift_jis').decode(Uint8Array.of(0x82, 0xa0)), new TextDecoder('latin1').encoding,
      new TextEncoder().encodeInto('a€b', into), tried, new TextDecoder().decode(bytes.subarray(1, 3)), new TextEncoder().encode('\\ud800')[0]])`
  expect(await printed(body)).toEqual([
    [97, 195, 188, 226, 130, 172, 240, 159, 152, 128],
    true,
    'aü€😀',
    'a\ufffd',
    '',
    '😀',
    'äö',
    'あ',
    'windows-1252',
    { read: 2, written: 4 },
    ['TypeError', 'RangeError', 'TypeError'],
    'ü',
    239,
  ])
})

test('atob and btoa work as in Node.js', async () => {
  const body = `
    const tried = []
    for (const bad of [() => btoa('€'), () => atob('a')]) try { bad() } catch (error) { tried.push([error.name, error.code, error instanceof DOMException]) }
    show([btoa('ä\\0b'), atob(' 5A Bi ').length, tried])`
  expect(await printed(body)).toEqual([
    '5ABi',
    3,
    [
      ['InvalidCharacterError', 5, true],
      ['InvalidCharacterError', 5, true],
    ],
  ])
})

test('structuredClone copies what has a structure and refuses the rest', async () => {
  const body = `
    const one = { date: new Date(5), map: new Map([[{ a: 1 }, new Set([2])]]), bytes: Uint8Array.of(1, 2), error: new RangeError('r'), re: /x/g, big: 5n }
    one.self = one
    const copy = structuredClone(one)
    const tried = []
    for (const bad of [() => {}, Symbol('s'), { f() {} }, Promise.resolve()]) try { structuredClone(bad) } catch (error) { tried.push([error.name, error.code]) }
    copy.bytes[0] = 9
    show([copy.self === copy, copy !== one, copy.date.getTime(), [...copy.map][0][1].has(2), one.bytes[0], copy.error instanceof RangeError,
      copy.error.message, String(copy.re), copy.big === 5n, tried])`
  const refused = ['DataCloneError', 25]
  const tried = [refused, refused, refused, refused]
  expect(await printed(body)).toEqual([true, true, 5, true, 1, true, 'r', '/x/g', true, tried])
})

test('events reach their listeners, and signals abort', async () => {
  const body = `
    const target = new EventTarget()
    const heard = []
    target.addEventListener('x', (event) => { heard.push(['once', event.detail]); event.preventDefault() }, { once: true })
    target.addEventListener('x', { handleEvent: ({ type }) => heard.push(['object', type]) })
    const first = target.dispatchEvent(new CustomEvent('x', { detail: 7, cancelable: true }))
    target.dispatchEvent(new Event('x'))
    const controller = new AbortController()
    const any = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)])
    any.onabort = () => heard.push(['any', any.reason])
    controller.abort('why')
    const late = await new Promise((resolve) => { const signal = AbortSignal.timeout(1); signal.addEventListener('abort', () => resolve(signal.reason.name)) })
    let thrown
    try { AbortSignal.abort().throwIfAborted() } catch (error) { thrown = [error.name, error.code, error instanceof Error] }
    let made
    try { new AbortSignal() } catch (error) { made = error.name }
    show([heard, first, controller.signal.aborted, late, thrown, made])`
  expect(await printed(body)).toEqual([
    [
      ['once', 7],
      ['object', 'x'],
      ['object', 'x'],
      ['any', 'why'],
    ],
    false,
    true,
    'TimeoutError',
    ['AbortError', 20, true],
    'TypeError',
  ])
})

test('the clock is coarse, and microtasks run', async () => {
  const body = `
    const now = performance.now()
    await new Promise((resolve) => queueMicrotask(resolve))
    show([Number.isInteger(now), now >= 0, Number.isInteger(performance.timeOrigin)])`
  expect(await printed(body)).toEqual([true, true, true])
})

test('no interface of the web is a way to the host', async () => {
  const body = `
    const names = Object.getOwnPropertyNames(globalThis)
    const inner = 'return [JSON.stringify(process.env), typeof process.reallyExit, typeof process.mainModule, typeof sys, typeof host]'
    show([names.includes('sys'), URL.constructor === Function, await fetch.constructor(inner)()])`
  expect(await printed(body)).toEqual([false, true, ['{}', ...Array(4).fill('undefined')]])
})
