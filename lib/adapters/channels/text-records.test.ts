// Against a DNS server on this machine that answers as each case says.
import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTextLookup } from './text-records'

const ANSWERS: Readonly<Record<string, { code: number; texts: string[][] } | null>> = {
  'has.test': { code: 0, texts: [['one'], ['in ', 'two parts']] },
  'empty.test': { code: 0, texts: [] },
  'absent.test': { code: 3, texts: [] },
  'broken.test': { code: 5, texts: [] },
}

let socket: Socket
let server: string

beforeAll(async () => {
  socket = createSocket('udp4').on('message', (query, { port, address }) => {
    const answer = ANSWERS[nameIn(query)]
    if (answer) socket.send(write(query, answer), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  server = `127.0.0.1:${socket.address().port}`
})
afterAll(() => new Promise<void>((resolve) => socket.close(() => resolve())))

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12, size = query[at] ?? 0; size > 0; at += size + 1, size = query[at] ?? 0)
    labels.push(query.toString('latin1', at + 1, at + 1 + size))
  return labels.join('.')
}

/** A response (RFC 1035 4.1): the header, the question of the query, and one TXT record for each text. */
function write(query: Buffer, { code, texts }: { code: number; texts: string[][] }): Buffer {
  const end = query.indexOf(0, 12) + 5
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(texts.length, 6)
  header.writeUInt32BE(0, 8)
  const records = texts.map((parts) => {
    const data = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]))
    return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
  })
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

it('joins the parts of each record', async () => {
  expect(await createTextLookup([server])('has.test')).toEqual(['one', 'in two parts'])
})

it.each(['empty.test', 'absent.test'])('an empty or missing record is reported without a reason: %s', async (name) => {
  await expect(createTextLookup([server])(name)).rejects.toMatchObject({ name: 'TextLookupError', reason: null })
})

it('says why a look-up failed', async () => {
  await expect(createTextLookup([server])('broken.test')).rejects.toMatchObject({ reason: 'EREFUSED' })
})

it('gives up on a server that never answers', async () => {
  await expect(createTextLookup([server])('silent.test')).rejects.toMatchObject({
    reason: expect.stringMatching(/^E(TIMEOUT|CANCELLED)$/),
  })
}, 20_000)
