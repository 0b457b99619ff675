import { describe, expect, it } from 'vitest'
import { MAX_ENTRY_BYTES, UnreadableFile } from '../entry-reader'
import { recordsIn } from './records'

async function read(file: string, size = 7): Promise<unknown[]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(file)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const records: unknown[] = []
  for await (const record of recordsIn(pieces())) records.push(record)
  return records
}

const ADA = { email: 'ada@x.test', name: 'Ada "A", Ł' }
const BOB = { email: 'bob@x.test', name: 'Bob' }

describe('the records of a file', () => {
  it.each([
    ['a JSON array', JSON.stringify([ADA, BOB], null, 2)],
    ['lines of JSON', `${JSON.stringify(ADA)}\n${JSON.stringify(BOB)}\n`],
    ['one line without an end', `${JSON.stringify(ADA)}\n${JSON.stringify(BOB)}`],
    ['an object with its users', JSON.stringify({ realm: 'x', clients: [{ users: [1] }], users: [ADA, BOB] })],
    ['the same on many lines', JSON.stringify({ users: [ADA, BOB], roles: {} }, null, 2)],
    ['the users of Cognito', JSON.stringify({ Users: [ADA, BOB] })],
    ['CSV', 'email,name\nada@x.test,"Ada ""A"", Ł"\nbob@x.test,Bob\n'],
    ['CSV of another place', '\uFEFFemail;name\r\nada@x.test;"Ada ""A"", Ł"\r\n\r\nbob@x.test;Bob\r\n'],
    ['CSV with tabs', 'email\tname\nada@x.test\t"Ada ""A"", Ł"\nbob@x.test\tBob'],
  ])('are those of %s', async (_, file) => {
    expect(await read(file)).toEqual([ADA, BOB])
    expect(await read(file, 100_000)).toEqual([ADA, BOB])
  })

  it('have a name for a column without one, and lack the cells that a row lacks', async () => {
    expect(await read('email,,name\na@x.test,1\n')).toEqual([{ email: 'a@x.test', 'column 2': '1' }])
  })

  it.each([
    ['nothing', ''],
    ['spaces', ' \n '],
    ['two columns of one name', 'email,email\na,b\n'],
    ['a column that cannot be stored', 'email,__proto__\na,b\n'],
    ['an array of texts', '["a"]'],
    ['JSON that is cut off', '{"users": [{"email": "a@x.test"}'],
    ['invalid JSON', '{"users": [}'],
    ['a quotation mark within a cell', 'email,name\n"a@x.test"b,c\n'],
    ['a row that is too large', `email\n${'x'.repeat(MAX_ENTRY_BYTES + 9)}\n`],
  ])('are refused where the file is %s', async (_, file) => {
    await expect(read(file, 65_536)).rejects.toThrow(UnreadableFile)
  })
})
