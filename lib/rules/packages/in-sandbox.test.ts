// The whole way: packages from a registry, bundled, and required by an action in the sandbox.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxFiles } from '../../runtime/actions'
import { testServices, withoutTimeLimit } from '../../testing/actions'
import { openRegistry, publishInstalled, type Registry } from '../../testing/registry'
import { createSandbox, type Sandbox } from '../sandbox/sandbox'
import { type Bundle, createBundler } from './bundle'

const NAMES = ['@panva/hkdf', '@xmldom/xmldom', 'debug', 'ipaddr.js', 'jsonwebtoken', 'lodash', 'uuid']

let registry: Registry
let before: string | undefined
let sandbox: Sandbox & { close(): void }
let bundle: Bundle
beforeAll(async () => {
  registry = await openRegistry()
  before = process.env.npm_config_registry
  process.env.npm_config_registry = registry.url
  for (const name of NAMES) await publishInstalled(registry, name)
  const dependencies = NAMES.map((name) => ({ name }))
  const built = await createBundler({ root: process.cwd() }).build(dependencies, [...NAMES, 'lodash/fp'])
  bundle = 'bundle' in built ? built.bundle : expect.fail(built.failure)
  const options = { services: testServices(), threads: 1, queueLimit: 10, preparing: 600_000 }
  sandbox = createSandbox({ ...sandboxFiles(process.cwd()), ...options })
}, 240_000)
afterAll(async () => {
  sandbox.close()
  if (before === undefined) delete process.env.npm_config_registry
  else process.env.npm_config_registry = before
  await registry.close()
})

const said = async (body: string) => {
  const { outcome, error, lines } = await withoutTimeLimit(sandbox).run('main', {
    ...{ code: `exports.run = async () => { ${body} }`, file: 'tested.js', handler: 'run', optional: false },
    ...{ bundle: { digest: bundle.digest, code: async () => bundle.code } },
    ...{ methods: [], event: '{}', cache: 'none', now: 0, seed: [1, 2, 3, 4], elapsed: 1, milliseconds: 1 },
  })
  return outcome === 'ok' ? lines.map(([, text]) => text) : [outcome, error?.message]
}

it.each([
  ['@panva/hkdf', 'Buffer.from(await p.hkdf("sha256", "key", "salt", "info", 8)).toString("hex")', '9ca0d662557439e3'],
  ['@xmldom/xmldom', 'new p.DOMParser().parseFromString("<a>1</a>", "text/xml").documentElement.textContent', '1'],
  ['ipaddr.js', 'p.parse("10.1.2.3").match(p.parseCIDR("10.0.0.0/8"))', 'true'],
  ['jsonwebtoken', 'p.verify(p.sign({ a: 1 }, "secret", { noTimestamp: true }), "secret").a', '1'],
  ['lodash', 'p.get({ a: [{ b: 1 }] }, "a[0].b")', '1'],
  ['lodash/fp', 'p.map((n) => n + 1)([1, 2]).join()', '2,3'],
  ['uuid', 'p.v5("a", p.v5.URL)', 'e1407479-3136-56c0-9908-bb02fb0339e2'],
])('an action uses %s', async (name, expression, line) => {
  expect(await said(`const p = require('${name}'); console.log(String(${expression}))`)).toEqual([line])
})

it('an action prints with debug', async () => {
  expect(await said("const p = require('debug'); p.enable('x'); p('x')('said %d', 1)")).toEqual([
    expect.stringContaining('said 1'),
  ])
})

it('an action has none of the packages that its own need', async () => {
  expect(await said("require('jws')")).toEqual(['threw', expect.stringContaining("Cannot find module 'jws'")])
})

it('the bundle lists what its packages need, at exact versions', () => {
  const versions = bundle.packages.map(({ name, version }) => `${name}@${version}`)
  expect(versions).toEqual(expect.arrayContaining([expect.stringMatching(/^jws@\d/), expect.stringMatching(/^ms@\d/)]))
})
