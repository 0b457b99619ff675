import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SETTING_GROUPS } from './catalogue'
import { envExample, listSettings, settingsTable } from './catalogue-text'
import { mayHoldSecret, parseEnv, variables } from './env'

const settings = SETTING_GROUPS.flatMap((group) => group.settings)
const names = settings.map(({ name }) => name)

describe('the catalogue of settings', () => {
  it('has every setting once, and begins with what production needs', () => {
    expect(names.toSorted()).toEqual(Object.keys(variables.shape).toSorted())
    expect(SETTING_GROUPS[0]?.settings.map(({ name }) => name)).toEqual([
      'APP_URL',
      'DATABASE_URL',
      'LATCHKEY_SECRET',
      'LATCHKEY_TRUSTED_PROXIES',
      'SMTP_URL',
      'SMTP_FROM',
    ])
  })

  it('says what holds without a setting only where the schema has no default', () => {
    const defaults: Record<string, unknown> = variables.parse({})
    for (const { name, unset, example } of settings) {
      const value = defaults[name]
      const isOpen = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
      if (unset !== undefined) expect(isOpen, name).toBe(true)
      if (isOpen) expect(example, name).toBeDefined()
    }
  })

  it('has examples that are accepted', () => {
    for (const { name, example } of settings)
      if (example) expect(variables.shape[name].safeParse(example).success, name).toBe(true)
  })
})

/** `npx vitest run lib/settings -u` writes both files. */
describe('what is made of it', () => {
  it('is .env.example', async () => {
    await expect(envExample()).toMatchFileSnapshot('../../.env.example')
  })

  it('is the table of the README', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const table = /^\| Variable \|.*\n(?:\|.*\n)+/m
    expect(readme).toMatch(table)
    await expect(readme.replace(table, settingsTable)).toMatchFileSnapshot('../../README.md')
  })

  it('has the same groups and names in the same order everywhere', () => {
    const expected = SETTING_GROUPS.flatMap((group) => [group.title, ...group.settings.map(({ name }) => name)])
    const found = (text: string, line: RegExp) => Array.from(text.matchAll(line), ([, group, name]) => group ?? name)
    expect(found(envExample(), /^# (?:--- (.+?) -+|([A-Z_]+)=.*)$/gm)).toEqual(expected)
    expect(found(settingsTable(), /^\| (?:\*\*(.+)\*\* \| \| |`([A-Z_]+)` \|.*)\|$/gm)).toEqual(expected)
    expect(found(listSettings({}).join('\n'), /^(?:(\S.*)| {4}([A-Z_]+) .*)$/gm)).toEqual(expected)
  })

  it('is a file that changes nothing where it is copied', () => {
    expect(envExample().match(/^[^#\n]/m)).toBeNull()
  })
})

describe('the list of settings', () => {
  const lineOf = (name: string, source: Record<string, string>): string =>
    listSettings(source)
      .find((line) => line.trim().startsWith(`${name} `))
      ?.trim()
      .replace(/^\S+\s+/, '') ?? ''

  it('shows values and defaults', () => {
    expect(lineOf('APP_URL', { APP_URL: ' "https://id.test" ' })).toBe('https://id.test')
    expect(lineOf('PORT', {})).toBe('3000 (default)')
    expect(lineOf('LATCHKEY_MIGRATE', {})).toBe('1 (default)')
    expect(lineOf('LATCHKEY_TRUSTED_PROXIES', {})).toBe('not set: no proxy')
    expect(lineOf('SMTP_FROM', {})).toBe('not set')
    expect(lineOf('SMTP_FROM', { SMTP_FROM: 'a\u001b[31m@b.test' })).not.toContain('\u001b')
  })

  it.each(settings.map(({ name }) => name).filter(mayHoldSecret))('does not show %s', (name) => {
    expect(lineOf(name, { [name]: 'hidden' })).toBe('set')
    expect(lineOf(name, { [`${name}_FILE`]: '/run/hidden' })).toBe(`set by ${name}_FILE`)
  })

  it('does not show credentials in an address', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://user:hidden@collector.test'
    expect(lineOf('OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT })).toBe('set')
  })

  it('marks as a secret what a file may deliver, as the runbook says', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
    const [bullet = ''] = /^- `NAME_FILE` (?:.*\n)+?(?=- )/m.exec(runbook) ?? []
    const listed = Array.from(bullet.matchAll(/`([A-Z_]+)`/g), ([, name]) => name).filter(
      (name) => name !== 'NAME_FILE',
    )
    expect(listed.toSorted()).toEqual(
      settings
        .map(({ name }) => name)
        .filter(mayHoldSecret)
        .toSorted(),
    )
    const LATCHKEY_CONFIG_FILE = '/run/a'
    expect(() => parseEnv({ LATCHKEY_CONFIG_FILE })).toThrow('LATCHKEY_CONFIG_FILE is not read')
    expect(() => parseEnv({ SMTP_URL_FILE: '/run/none' })).toThrow('SMTP_URL_FILE must name a file')
  })
})
