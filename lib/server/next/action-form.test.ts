// Bodies as Chromium sends them for the forms of the console, and others (threat-model.md HT1, MG53).
import { describe, expect, it, vi } from 'vitest'
import { actionRefusal } from './action-form'

const ID = `60${'0a'.repeat(20)}`
const BOUNDARY = '----WebKitFormBoundaryxm2q4WSbuNHtS4yR'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const STATE = '[{"status":"new"}]'
const ARGS = '[{"status":"refused","message":"$$5 is no address","field":null},"$K1"]'

const part = (name: string, value: string, rest = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${value}\r\n`

const bodyOf = (...fields: [name: string, value: string][]): string =>
  `${fields.map(([name, value]) => part(name, value)).join('')}--${BOUNDARY}--\r\n`

const refusalOf = (body: string, headers: Record<string, string> = {}) =>
  actionRefusal(
    new Headers({ 'content-type': TYPE, ...headers }),
    async () => new TextEncoder().encode(body).buffer as ArrayBuffer,
  )

const reference = (state = STATE, id = ID, place = '9'): [string, string][] => [
  [`$ACTION_REF_${place}`, ''],
  [`$ACTION_${place}:0`, `{"id":"${id}","bound":"$@1"}`],
  [`$ACTION_${place}:1`, state],
  ['$ACTION_KEY', 'k3b17d6911299b6b0d006a3b5bd6a2ed3'],
]
const FIELDS: [string, string][] = [
  ['_operation', 'clients.update'],
  ['text:name', 'Käte "K" $1\r\n--not the boundary'],
]
const scripted = (args = ARGS): [string, string][] => [
  ...[...reference(), ...FIELDS].map(([name, value]): [string, string] => [`_1_${name}`, value]),
  ['0', args],
]
const SCRIPT = { 'next-action': ID }

describe('a form of our own pages passes', () => {
  it('a form with scripts passes', async () => {
    expect(await refusalOf(bodyOf(...scripted()), SCRIPT)).toBeNull()
    expect(await refusalOf(bodyOf(['_1_theme', 'dark'], ['0', '["$K1"]']), SCRIPT)).toBeNull()
  })

  it('a form without scripts passes', async () => {
    expect(await refusalOf(bodyOf(...reference(), ...FIELDS))).toBeNull()
    expect(await refusalOf(bodyOf([`$ACTION_ID_${ID}`, ''], ['theme', 'dark']))).toBeNull()
  })
})

describe('arguments that no page of this server sends', () => {
  it.each([
    '',
    '{',
    'null',
    '{}',
    '"$K1"',
    '[1]',
    '["$1:then"]',
    '["$@1"]',
    '["$F1"]',
    '["$Q1"]',
    '["$B1"]',
    '["$undefined"]',
    '["$Kzz"]',
    '["$K1","$K1","$K1"]',
    '[{"then":"$1:__proto__:then"},"$K1"]',
    '[{"a":{"b":"c"}},"$K1"]',
    '[["$K1"]]',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ])('%.40s are refused, with scripts and without', async (args) => {
    expect(await refusalOf(bodyOf(...scripted(args)), SCRIPT)).toBe('form')
    expect(await refusalOf(bodyOf(...reference(args)))).toBe('form')
  })
})

it.each(['', 'x', ID.slice(1), `${ID}0`, ID.toUpperCase(), '__proto__', `${ID}, ${ID}`])(
  '%j names no action',
  async (id) => {
    expect(await refusalOf(bodyOf(...scripted()), { 'next-action': id })).toBe('form')
    expect(await refusalOf(bodyOf([`$ACTION_ID_${id}`, '']))).toBe('form')
    expect(await refusalOf(bodyOf(...reference(STATE, id)))).toBe('form')
  },
)

describe('a form without exactly one action', () => {
  it.each([
    [[]],
    [[['a', 'b']]],
    [[['$ACTION_KEY', 'k']]],
    [[['$ACTION_REF_9', '']]],
    [reference().slice(0, 3)],
    [[...reference(), ...reference(STATE, ID, '8')]],
    [[...reference(), [`$ACTION_ID_${ID}`, '']]],
    [reference(STATE, ID, 'x')],
    [reference(STATE, ID, '')],
  ] as [[string, string][]][])('is refused: %j', async (fields) => {
    expect(await refusalOf(bodyOf(...fields))).toBe('form')
  })

  it.each([
    [[]],
    [[['0', ARGS]]].slice(1),
    [
      [
        ['0', ARGS],
        ['0', ARGS],
      ],
    ],
    [[['1', ARGS]]],
    [
      [
        ['0', ARGS],
        ['$ACTION_1:0', '{}'],
      ],
    ],
  ] as [[string, string][]][])('is refused with scripts: %j', async (fields = []) => {
    expect(await refusalOf(bodyOf(...fields), SCRIPT)).toBe('form')
  })
})

describe('a body that parsers read differently', () => {
  const whole = bodyOf(...scripted())

  it.each([
    ['without an end', whole.slice(0, -6)],
    ['with bytes before', `x${whole}`],
    ['with bytes behind', `${whole}x`],
    ['with a file', part('_1_a', 'x', '; filename="a"\r\nContent-Type: text/plain') + bodyOf(...scripted())],
    ['with another header', part('_1_a', 'x', '\r\nContent-Transfer-Encoding: base64') + bodyOf(...scripted())],
    ['with a control character in a name', part('_1_a\0', 'x') + bodyOf(...scripted())],
    ['with a part without a name', `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${whole}`],
    ['with a part without a head', `--${BOUNDARY}\r\n\r\nx\r\n${whole}`],
    ['with the boundary in a value', part('_1_a', `a${BOUNDARY}b`) + whole],
    ['with line feeds alone', whole.replaceAll('\r\n', '\n')],
    ['that is empty', ''],
    ['that is no form', '[]'],
  ])('is refused: %s', async (_what, body) => {
    expect(await refusalOf(body, SCRIPT)).toBe('form')
  })
})

it.each([
  'text/plain',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="a b"',
  `multipart/form-data; boundary=${'x'.repeat(26)}`,
  `multipart/form-data; boundary="${BOUNDARY}"`,
  `${TYPE}; charset=utf-16`,
  `multipart/mixed; boundary=${BOUNDARY}`,
  `MULTIPART/FORM-DATA; boundary=${BOUNDARY}`,
  `multipart/form-data; boundary=${'x'.repeat(3000)}`,
])('the type %.60s is refused', async (type) => {
  expect(await refusalOf(bodyOf(...scripted()), { ...SCRIPT, 'content-type': type })).toBe('form-type')
})

it('is refused by its stated size without being read, and by its real one', async () => {
  const readBody = vi.fn(async () => new ArrayBuffer(0))
  const headers = new Headers({ 'content-type': TYPE, 'content-length': String(1024 * 1024 + 1) })
  expect(await actionRefusal(headers, readBody)).toBe('form-size')
  expect(readBody).not.toHaveBeenCalled()
  expect(await refusalOf(bodyOf(['_1_a', 'x'.repeat(1024 * 1024)], ['0', ARGS]), SCRIPT)).toBe('form-size')
})
