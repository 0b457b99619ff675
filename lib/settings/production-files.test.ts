// docs/production/ as a reader copies it: the compose file is one by the Compose Specification's schema (lib/testing/compose-spec.json, from
// https://github.com/compose-spec/compose-spec), and a server accepts the settings that it gives.
import { readFileSync } from 'node:fs'
import { parseEnv as parseFile } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { SETTING_GROUPS } from './catalogue'
import { parseEnv } from './env'

type Service = {
  environment?: Record<string, string>
  depends_on?: Record<string, unknown>
  networks?: string[] | Record<string, { ipv4_address?: string }>
  volumes?: string[]
  build?: string
  image?: string
}
type Compose = { services: Record<string, Service>; volumes?: object; networks?: object }

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const { $schema: _, ...rules } = JSON.parse(read('lib/testing/compose-spec.json'))
// Zod knows this draft by its other address.
const schema = z.fromJSONSchema({ ...rules, $schema: 'http://json-schema.org/draft-07/schema#' })

const MADE = { LATCHKEY_SECRET: 's'.repeat(44), POSTGRES_PASSWORD: 'a1b2' }
const dotenv: Record<string, string> = { ...(parseFile(read('docs/production/env.example')) as object), ...MADE }

/** As Compose does: `${NAME:?why}` must be set, `${NAME:-default}` need not. */
function interpolated(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_match, name: string, kind: string, rest: string) => {
    const value = variables[name] || (kind === '-' ? rest : '')
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`)
    return value
  })
}

const PRODUCTION = 'docs/production/compose.yaml'
const composed = (variables = dotenv): Compose => parse(interpolated(read(PRODUCTION), variables))
const settingsOf = (compose: Compose) => compose.services.server?.environment ?? {}

describe.each([PRODUCTION, 'compose.yaml'])('%s', (path) => {
  const compose = (): Compose => parse(interpolated(read(path), dotenv))

  it('is a compose file', () => {
    expect(schema.safeParse(compose()).error?.message).toBeUndefined()
  })

  it.each([
    ['a member that there is not', { restarts: 'always' }],
    ['a member of another kind', { environment: 3 }],
    ['a member without a value', { depends_on: { server: { condition: 'ready' } } }],
  ])('would not be one with %s', (_what, change) => {
    const changed = compose()
    Object.assign(changed.services.server ?? {}, change)
    expect(schema.safeParse(changed).success).toBe(false)
  })

  it('names services, networks and volumes that it has', () => {
    const { services, volumes = {}, networks = {} } = compose()
    for (const service of Object.values(services)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(name)
      const attached = service.networks ?? []
      for (const name of Array.isArray(attached) ? attached : Object.keys(attached))
        expect(networks).toHaveProperty(name)
      const named = (service.volumes ?? [])
        .map((volume) => volume.split(':')[0] ?? '')
        .filter((name) => /^\w/.test(name))
      for (const name of named) expect(volumes).toHaveProperty(name)
      expect(service.image ?? service.build).toBeDefined()
    }
  })
})

describe('the settings of production', () => {
  const [production] = SETTING_GROUPS

  it('are the first group, in the same order, in the compose file', () => {
    expect(Object.keys(settingsOf(composed()))).toEqual(production?.settings.map(({ name }) => name))
  })

  it('start a server that is no demo, behind the proxy', () => {
    const compose = composed()
    expect(parseEnv(settingsOf(compose))).toMatchObject({ demo: false, devOutbox: false, host: '0.0.0.0' })
    const networks = compose.services.proxy?.networks ?? {}
    const addresses = Object.values(networks).map(({ ipv4_address }) => ipv4_address)
    expect(parseEnv(settingsOf(compose)).trustedProxies).toEqual(addresses)
  })

  it.each(['APP_URL', 'LATCHKEY_SECRET', 'POSTGRES_PASSWORD', 'SMTP_URL', 'SMTP_FROM'])(
    'are refused without %s',
    (name) => {
      expect(() => composed({ ...dotenv, [name]: '' })).toThrow(`${name}: set it in .env`)
    },
  )

  it('start a server without Docker, by the lines that are then to be used', () => {
    const text = read('docs/production/env.example').replace(/^# (?=[A-Z_]+=)/gm, '')
    const { POSTGRES_PASSWORD: _unused, ...variables } = { ...(parseFile(text) as Record<string, string>), ...MADE }
    expect(Object.keys(variables).toSorted()).toEqual(production?.settings.map(({ name }) => name).toSorted())
    expect(parseEnv(variables)).toMatchObject({ demo: false, trustedProxies: ['127.0.0.1'] })
  })
})
