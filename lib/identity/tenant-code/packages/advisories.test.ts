import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openRegistry, type Registry } from '../../../testing/registry'
import { findAdvisories } from './advisories'

let registry: Registry
beforeAll(async () => {
  registry = await openRegistry()
  for (const version of ['1.0.0', '1.5.0', '2.0.0']) registry.publish({ name: 'leaky', version }, {})
  registry.publish({ name: 'sound', version: '1.0.0' }, {})
})
beforeEach(() => {
  registry.requests.length = 0
  registry.status = undefined
  registry.advisories = {}
})
afterAll(async () => {
  await registry.close()
})

const of = (...names: string[]) =>
  names.map((each) => ({ name: each.split('@')[0] ?? '', version: each.split('@')[1] ?? '', integrity: 'sha512-AA==' }))
const find = (...names: string[]) => findAdvisories(of(...names), process.cwd())

const LEAK = {
  ...{ id: 7, url: 'https://advisories.test/7', title: 'Leaks', severity: 'high', vulnerable_versions: '<2.0.0' },
  ...{ cwe: [], cvss: { score: 7, vectorString: null } },
}

it('names each advisory with the versions that it is about', async () => {
  registry.advisories = { leaky: [LEAK] }
  expect(await find('leaky@1.0.0', 'sound@1.0.0', 'leaky@1.5.0', 'leaky@2.0.0')).toEqual([
    { name: 'leaky', versions: ['1.0.0', '1.5.0'], severity: 'high', title: 'Leaks', url: LEAK.url },
  ])
})

it('names no advisory of a safe package, and sends names and versions alone', async () => {
  expect(await find('sound@1.0.0')).toEqual([])
  const sent = registry.requests.filter(({ path }) => path.endsWith('/bulk'))
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ sound: ['1.0.0'] }])
})

it('answers null where the registry does not, or knows no advisories', async () => {
  registry.status = 404
  expect(await find('sound@1.0.0')).toBeNull()
  process.env.npm_config_registry = 'http://127.0.0.1:9/'
  const unreachable = await find('sound@1.0.0').finally(() => {
    process.env.npm_config_registry = registry.url
  })
  expect(unreachable).toBeNull()
})

it('requests nothing where there are no packages', async () => {
  expect(await find()).toEqual([])
  expect(registry.requests).toEqual([])
})
