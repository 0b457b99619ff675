import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha1Hex } from '../../kernel/secret'
import { openBreachedFile } from './breached-file'

const KNOWN = Array.from({ length: 300 }, (_, i) => `leaked ${i}`)
const UNKNOWN = Array.from({ length: 100 }, (_, i) => `unknown ${i}`)
const HASHES = KNOWN.map(sha1Hex).sort()

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-breached-'))
  await mkdir(join(folder, 'ranges'))
  for (const prefix of new Set(HASHES.map((hash) => hash.slice(0, 5)))) {
    const lines = HASHES.filter((hash) => hash.startsWith(prefix)).map((hash) => `${hash.slice(5)}:7`)
    await writeFile(join(folder, 'ranges', `${prefix}.txt`), lines.join('\r\n'))
  }
})
afterAll(() => rm(folder, { recursive: true }))

async function written(name: string, text: string) {
  const path = join(folder, name)
  await writeFile(path, text)
  return openBreachedFile(path)
}

const found = async (file: { includes(password: string): Promise<boolean> }, passwords: string[]) =>
  (await Promise.all(passwords.map((password) => file.includes(password)))).filter(Boolean).length

describe.each([
  ['the downloader’s file', () => written('full.txt', HASHES.map((hash, i) => `${hash}:${i}\r\n`).join(''))],
  ['a file without counts and last line end', () => written('plain.txt', HASHES.join('\n'))],
  ['lower case', () => written('lower.txt', `${HASHES.join('\n').toLowerCase()}\n`)],
  ['hashes cut to ten digits', () => written('cut.txt', `${HASHES.map((hash) => hash.slice(0, 10)).join('\n')}\n`)],
  ['a folder of ranges', () => openBreachedFile(join(folder, 'ranges'))],
])('%s', (_, open) => {
  it('knows every password that is in it and none that is not', async () => {
    const file = await open()
    expect(await found(file, KNOWN)).toBe(KNOWN.length)
    expect(await found(file, UNKNOWN)).toBe(0)
  })
})

it.each(['', '\n', 'not hashes at all\nnothing\n', '0'.repeat(100_000)])(
  'finds nothing in a file of nonsense (%#)',
  async (text) => {
    expect(await found(await written('nonsense.txt', text), KNOWN.slice(0, 20))).toBe(0)
  },
)

it('does not take a handful of digits for a password', async () => {
  const hash = HASHES[0] ?? ''
  expect(await found(await written('short.txt', `${hash.slice(0, 9)}\n`), KNOWN)).toBe(0)
})

it('says at once that there is no such file', async () => {
  await expect(openBreachedFile(join(folder, 'missing.txt'))).rejects.toThrow('ENOENT')
})

describe('the file that ships', () => {
  it('knows common passwords and no passphrase', async () => {
    const file = await openBreachedFile(join(import.meta.dirname, '../../../data/breached-passwords.txt'))
    expect(await found(file, ['password', '123456', 'qwerty', 'letmein'])).toBe(4)
    expect(await found(file, ['correct horse battery staple', ...UNKNOWN])).toBe(0)
  })
})
