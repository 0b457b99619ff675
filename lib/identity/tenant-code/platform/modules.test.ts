// The modules of Node.js inside the sandbox: the same code has the same output there and here.
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { actionBench, loginEvent } from '../../../testing/actions'
import { ABSENT, PRESENT } from './names.js'

const bench = actionBench()
afterAll(() => bench.close())

const run = async (body: string) => {
  const engine = bench.login(body)
  await engine.run('post-login', loginEvent())
  const [record] = engine.records
  return { ...record, lines: record?.lines.map(({ text }) => text) }
}

/** Of what is thrown, the message. */
const inside = async (body: string): Promise<unknown> => {
  const { lines, reason } = await run(`const out = async () => {${body}\n}
    try { console.log(JSON.stringify(await out())) } catch (error) { console.log('threw ' + error.name + ': ' + error.message) }`)
  const [line] = lines ?? []
  return line === undefined ? reason : line.startsWith('threw ') ? line : JSON.parse(line)
}

const require = createRequire(import.meta.url)
const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...args: unknown[]) => Promise<unknown>
const outside = async (body: string): Promise<unknown> =>
  JSON.parse(JSON.stringify(await new AsyncFunction('require', body)(require)))

const SAME: Record<string, string[]> = {
  buffer: [
    'return [Buffer.from("häl€o😀").toString("base64url"), Buffer.from("aGk_-w", "base64url").toString("hex"), Buffer.from("ff00", "hex")]',
    'return [Buffer.concat([Buffer.from("a"), Buffer.alloc(2, 1)]), Buffer.byteLength("aGk", "base64url"), Buffer.isEncoding("base64url")]',
    'const b = Buffer.alloc(8); b.writeUInt32BE(7, 4); b.write("YWI", 0, "base64url"); return [b, b.readBigUInt64BE().toString(), b.subarray(1, 3) instanceof Buffer]',
    'return ["utf8", "latin1", "hex", "base64", "base64url", "utf16le", "ascii"].map((e) => Buffer.from("abé\\ud800".repeat(99)).toString(e).slice(-50))',
    'return ["latin1", "hex", "base64", "base64url", "utf16le"].map((e) => Buffer.from(Buffer.from("abé".repeat(99)).toString(e), e).toString("hex").slice(-80))',
    'return [Buffer.from("abc").equals(Buffer.from("abc")), Buffer.compare(Buffer.from("a"), Buffer.from("b")), Buffer.from("abcb").indexOf("b", 2), require("node:buffer").constants.MAX_LENGTH > 0]',
  ],
  events: [
    'const { EventEmitter, once, errorMonitor } = require("events"); const e = new EventEmitter(); const seen = []; e.on("a", (x) => seen.push(x)); e.once("a", (x) => seen.push(-x)); e.emit("a", 1); e.emit("a", 2); const waited = once(e, "b"); e.emit("b", 3); e.on(errorMonitor, (x) => seen.push("m" + x.message)); e.on("error", (x) => seen.push(x.message)); e.emit("error", new Error("no")); return [seen, await waited, e.listenerCount("a")]',
    'const { EventEmitter, on } = require("node:events"); const e = new EventEmitter(); const seen = []; const all = on(e, "x"); e.emit("x", 1); e.emit("x", 2); for await (const [v] of all) { seen.push(v); if (v === 2) break } return [seen, e.listenerCount("x")]',
    'new (require("events"))().emit("error", new Error("alone"))',
  ],
  util: [
    'const u = require("util"); return [u.format("%s %d %j %%", "a", 1, { a: 1 }, "more"), u.inspect({ a: [1, { b: { c: {} } }], m: new Map([["k", 1]]), s: new Set([1]), f() {}, d: new Date(0), r: /x/g, n: null, u: undefined, "x-y": "it\'s" }), u.inspect("a\\nb"), u.inspect(new (class Foo { a = 1 })())]',
    'const u = require("util"); const a = { list: [1, , 3] }; a.self = a; return [u.inspect(a), u.inspect(new Uint8Array(3)), u.inspect(Object.create(null)), u.inspect([1, 2, 3], { maxArrayLength: 1 }), u.inspect(class A {}), u.inspect(Symbol("a")), u.inspect(-0), u.inspect(10n), u.inspect(async () => {}), u.inspect({ get a() { return 1 } })]',
    'const u = require("util"); return [await u.promisify((a, done) => done(null, a + 1))(1), u.isDeepStrictEqual({ a: [1, new Set([1])] }, { a: [1, new Set([1])] }), u.isDeepStrictEqual([1], ["1"]), u.types.isDate(new Date()), u.types.isUint8Array(Buffer.alloc(1)), u.types.isAsyncFunction(async () => {}), u.stripVTControlCharacters("\\u001b[31mred\\u001b[0m")]',
    'const u = require("util"); function A() {} function B() {} u.inherits(A, B); return [new A() instanceof B, A.super_ === B, u.inspect({ [u.inspect.custom]: () => "mine" })]',
    'return await require("util").promisify((done) => done(new Error("refused")))()',
  ],
  assert: [
    'const a = require("assert"); a(1); a.equal(1, "1"); a.deepEqual({ a: 1 }, { a: "1" }); a.strict.deepEqual([1], [1]); a.throws(() => { throw new TypeError("x") }, TypeError); a.throws(() => { throw new Error("x") }, /x/); await a.rejects(Promise.reject(new Error("y")), { message: "y" }); return 1',
    'const a = require("assert/strict"); const codes = []; for (const f of [() => a.equal(1, "1"), () => a.deepEqual([1], [2]), () => a.throws(() => {}), () => a.match("a", /b/), () => a.ok(0), () => a.notEqual(1, 1)]) try { f(); codes.push("none") } catch (e) { codes.push(e.code + e.name) } return codes',
  ],
  path: [
    'const p = require("node:path"); return [p.join("a", "..", "b"), p.extname("x.tar.gz"), p.resolve("/a", "b"), p.parse("/a/b.c"), p.relative("/a/b", "/a/c"), p.posix.sep]',
  ],
  querystring: [
    'const q = require("querystring"); return [q.parse("a=1&a=2&b=%20x+y&c&=d&%zz=1"), q.stringify({ a: [1, "b c"], d: true, e: null, f: Infinity, g: "ä!\'()*~" }), q.parse("a:1;b:2", ";", ":"), q.escape("a b&"), q.unescape("%41")]',
  ],
  url: [
    'const u = require("url"); const { protocol, host, port, pathname, query, hash, auth } = u.parse("https://me:x@a.de:81/p?q=1#h", true); return [protocol, host, port, pathname, query, hash, auth, u.resolve("http://a.de/b/c", "../d"), u.format({ protocol: "http", host: "a.de", pathname: "/x", query: { a: 1 } }), u.parse("/x?y=1").query]',
  ],
  string_decoder: [
    'const { StringDecoder } = require("string_decoder"); const d = new StringDecoder("utf8"); return [d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0xac])), d.end()]',
  ],
  stream: [
    'const { Readable, Transform, PassThrough } = require("stream"); const { pipeline } = require("stream/promises"); const parts = []; const up = new Transform({ transform(c, e, done) { done(null, String(c).toUpperCase()) } }); const end = new PassThrough(); end.on("data", (c) => parts.push(String(c))); await pipeline(Readable.from(["a", "b"]), up, end); const listed = []; for await (const c of Readable.from([1, 2])) listed.push(c); return [parts, listed]',
    'const { pipeline } = require("stream/promises"); const { Readable, Writable } = require("node:stream"); return await pipeline(Readable.from(["a"]), new Writable({ write(c, e, done) { done(new Error("full")) } }))',
  ],
  timers: [
    'const { setTimeout: wait } = require("timers/promises"); const late = []; require("timers").setTimeout(() => late.push(1), 1); return [await wait(5, "value"), late]',
  ],
  punycode: ['return require("punycode/").toASCII("mañana.com")'],
  os: ['const { EOL, platform, type } = require("os"); return [EOL, platform(), type()]'],
  async_hooks: [
    'const { AsyncLocalStorage, AsyncResource } = require("async_hooks"); const s = new AsyncLocalStorage(); const got = await s.run(1, async () => { await null; return s.getStore() }); return [got, s.getStore() ?? null, new AsyncResource("x").runInAsyncScope((a) => a, null, 5)]',
  ],
  diagnostics_channel: [
    'const d = require("diagnostics_channel"); const seen = []; const c = d.channel("x"); c.subscribe((m) => seen.push(m)); c.publish(1); return [seen, c.hasSubscribers]',
  ],
  zlib: [
    'const z = require("zlib"); const text = "a".repeat(5000); return ["gzip", "deflate", "deflateRaw"].map((m, i) => z[["gunzip", "inflate", "inflateRaw"][i] + "Sync"](z[m + "Sync"](text)).length)',
    'const z = require("zlib"); const { promisify } = require("util"); return [String(await promisify(z.unzip)(await promisify(z.gzip)("x"))), String(z.brotliDecompressSync(z.brotliCompressSync("brotli"))), z.constants.Z_BEST_SPEED]',
    'const z = require("zlib"); const { Readable } = require("stream"); const parts = []; for await (const c of Readable.from([Buffer.from("streamed")]).pipe(z.createGzip()).pipe(z.createGunzip())) parts.push(c); return String(Buffer.concat(parts))',
    'return require("zlib").gunzipSync(Buffer.from("nothing"))',
  ],
  process: [
    'const p = require("process"); const seen = await new Promise((done) => process.nextTick(done, 1)); return [seen, p === process, p.platform, typeof p.hrtime.bigint()]',
  ],
}

const BOMB = gzipSync(Buffer.alloc(9_000_000)).toString('base64')

describe('the modules of Node.js', () => {
  for (const [name, bodies] of Object.entries(SAME))
    it.each(bodies)(`the module ${name} gives the same inside and outside: %s`, async (body) => {
      let expected: unknown
      try {
        expected = await outside(body)
      } catch (error) {
        expected = `threw ${(error as Error).name}: ${(error as Error).message}`
      }
      expect(await inside(body.replace('punycode/', 'punycode'))).toEqual(expected)
    })

  it('has a console for packages', async () => {
    const { lines } = await run(
      'const c = require("console"); c.log("%s is %d", "a", 1, { b: [1] }); c.assert(false, "no"); c.dir({ a: 1 })',
    )
    expect(lines).toEqual(['a is 1 { b: [ 1 ] }', 'Assertion failed no', '{ a: 1 }'])
  })

  it('refuses what Node.js refuses', async () => {
    expect(await inside('require("util").promisify(1)')).toMatch('The "original" argument must be of type function')
    expect(await inside('require("assert").strictEqual(1, 2, "said")')).toBe('threw AssertionError: said')
  })

  it('knows nothing of this process', async () => {
    const shown =
      'return [process.env, process.argv, process.cwd(), process.version.slice(0, 4), process.versions.node.slice(0, 2)]'
    expect(await inside(shown)).toEqual([{}, [], '/', 'v22.', '22'])
    expect(await inside('process.exit(0)')).toMatch('process.exit is not available')
    expect(await inside('return require("os").cpus()')).toEqual([])
  })

  it('passes warnings and what is written on to the output', async () => {
    const { lines } = await run(
      'process.emitWarning("careful"); process.stdout.write("written\\n"); require("util").deprecate(() => {}, "old")()',
    )
    expect(lines).toEqual(['Warning: careful', 'written', 'DeprecationWarning: old'])
  })

  it('has what it names, and nothing of what it names as absent', async () => {
    const body = `const absent = ${JSON.stringify(Object.keys(ABSENT))}
      const isThere = (name) => { try { return require(name) !== undefined } catch { return false } }
      return [${JSON.stringify(PRESENT)}.filter((name) => !isThere(name) || !isThere('node:' + name)), absent.filter(isThere)]`
    const { lines } = await run(`console.log(JSON.stringify((() => {${body}})()))`)
    expect(lines?.at(-1)).toBe('[[],[]]')
  })

  it.each([
    ['return new URL("https://a.de/x") instanceof require("url").URL', true],
    [
      'return require("url").format(new URL("https://u:p@a.de/x?y#z"), { auth: false, fragment: false })',
      'https://a.de/x?y',
    ],
    ['return require("url").fileURLToPath("file:///a%20b")', '/a b'],
    ['return require("url").urlToHttpOptions(new URL("https://u:p@a.de:81/x?y")).auth', 'u:p'],
    [
      'const { Readable } = require("stream"); const a = new AbortController(); const r = Readable.from([1], { signal: a.signal }); a.abort(); try { for await (const _ of r); } catch (e) { return e.name }',
      'AbortError',
    ],
    [
      'const a = new AbortController(); const w = require("timers/promises").setTimeout(1000, 1, { signal: a.signal }); a.abort(); return await w.catch((e) => e.name)',
      'AbortError',
    ],
    ['const { TextEncoder } = require("util"); return [...new TextEncoder().encode("é")]', [195, 169]],
    [
      'return await new Response(require("zlib").gzipSync("a")).arrayBuffer().then((b) => String(require("zlib").gunzipSync(b)))',
      'a',
    ],
  ])('joins with the interfaces of the web: %s', async (body, expected) => {
    expect(await inside(body)).toEqual(expected)
  })

  it.each([
    ['fs', 'actions have no file system'],
    ['node:fs', 'actions have no file system'],
    ['fs/promises', 'actions have no file system'],
    ['child_process', 'actions start no processes and no threads'],
    ['cluster', 'actions start no processes and no threads'],
    ['worker_threads', 'actions start no processes and no threads'],
    ['vm', 'actions evaluate no code'],
    ['v8', 'it is of another engine'],
    ['inspector', 'it is of another engine'],
    ['dgram', 'actions send no datagrams'],
    ['http2', 'actions have HTTP/1.1 alone'],
    ['left-pad', 'it is no module of Node.js that actions have, and no dependency of this action'],
    ['../../etc/passwd', 'it is no module of Node.js that actions have, and no dependency of this action'],
    ['__proto__', 'it is no module of Node.js that actions have, and no dependency of this action'],
  ])('refuses %s by name', async (name, why) => {
    const { outcome, reason, lines } = await run(`require(${JSON.stringify(name)})`)
    expect(outcome).toBe('threw')
    expect(reason).toMatch(`Cannot find module '${name}': ${why}`)
    expect(lines).toEqual([`require(${name}) was refused: ${why}`])
  })

  it.each([
    [`require("zlib").gunzipSync(Buffer.from("${BOMB}", "base64"))`, 'larger than'],
    ['require("zlib").gzipSync("a", { level: 99 })', 'out of range'],
    [
      'require("zlib").brotliCompressSync("a", { params: { [require("zlib").constants.BROTLI_PARAM_LGWIN]: 30 } })',
      'out of range',
    ],
    [
      'const z = require("zlib"); z.brotliCompressSync(Buffer.alloc(600000), { params: { [z.constants.BROTLI_PARAM_QUALITY]: 11 } })',
      'out of range',
    ],
    ['require("zlib").gzipSync(5)', 'must be of type string'],
  ])('bounds compression: %s', async (body, message) => {
    expect(await inside(body)).toMatch(message)
  })

  it('compares passwords with bcrypt', async () => {
    const hash = '$2a$04$WF0STxN9AsFvWdHvG2jmSupVQHCQHzWpMASqHUK0k8R1SCgU.pPu6'
    const body = `const b = require("bcryptjs"); const salt = b.genSaltSync(4); const made = await b.hash("pw", salt)
      return [await b.compare("pw", made), b.compareSync("no", made), b.getRounds(made), made.startsWith(salt), require("bcrypt") === b, await new Promise((done) => b.compare("x", "short", (e, same) => done(same))), b.hashSync("pw", "${hash.slice(0, 29)}").slice(0, 29)]`
    expect(await inside(body)).toEqual([true, false, 4, true, true, false, hash.slice(0, 29)])
  })

  it.each([
    ['require("bcryptjs").hashSync("a", 20)', 'must be >= 4 and <= 13'],
    ['require("bcryptjs").compareSync("a", "$2b$31$" + "a".repeat(53))', 'must be >= 4 and <= 13'],
    ['require("bcryptjs").hashSync("a", "salt")', 'Invalid salt'],
    ['require("bcryptjs").hashSync(1, 4)', 'Illegal arguments'],
  ])('bounds bcrypt: %s', async (body, message) => {
    expect(await inside(body)).toMatch(message)
  })
})
