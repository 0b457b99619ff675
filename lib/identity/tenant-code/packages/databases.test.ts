// Clients of databases in actions, over the sockets and requests of the sandbox: `pg` with PostgreSQL, the others with a double that speaks as much of the protocol as one
// query needs.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { BSON } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../testing/certificate'
import { type TestDatabase, testDatabase } from '../../../testing/database'
import { openPackages, type TestPackages } from '../../../testing/packages'

let packages: TestPackages
let database: TestDatabase
let certificate: { cert: string; key: string }
const doors: Server[] = []

async function open(handle: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    handle(socket)
  })
  doors.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  certificate = await makeCertificate('localhost')
  packages = await openPackages(['pg', 'mysql2', 'mongodb', '@aws-sdk/client-dynamodb'], ['mysql2/promise'])
}, 480_000)
afterAll(async () => {
  await packages.close()
  await database.drop()
  for (const door of doors) door.close()
})

const printed = (body: string) => packages.printed(body)

describe('pg', () => {
  /** PostgreSQL of the tests listens at a socket in the file system. */
  const toDatabase = (socket: Duplex): void => {
    const { searchParams, port } = new URL(database.url)
    const inner = connect(`${searchParams.get('host')}/.s.PGSQL.${port}`)
    inner.on('error', () => {})
    socket.pipe(inner).pipe(socket)
  }
  /** Begins with SSLRequest (PostgreSQL 54.2.11), which it accepts. */
  const secure = (socket: Socket): void =>
    void socket.once('data', () => {
      socket.write('S')
      const inside = new TLSSocket(socket, { isServer: true, ...certificate })
      inside.on('error', () => {})
      toDatabase(inside)
    })
  const options = (port: number): string => {
    const { username, password, pathname } = new URL(database.url)
    const given = { host: 'localhost', port, user: username, password, database: pathname.slice(1) }
    return JSON.stringify(given)
  }

  it('connects with a password, queries and ends', async () => {
    const body = `const { Client } = require('pg')
      const client = new Client(${options(await open(toDatabase))})
      await client.connect()
      const { rows } = await client.query('SELECT $1::int + 1 AS two, now() IS NOT NULL AS now', [1])
      console.log(JSON.stringify(rows))
      await client.query('SELECT nothing').catch((error) => console.log(error.code))
      await client.end()
      console.log('ended')`
    expect(await printed(body)).toEqual(['[{"two":2,"now":true}]', '42703', 'ended'])
  })

  it('has a pool', async () => {
    const body = `const { Pool } = require('pg')
      const pool = new Pool(${options(await open(toDatabase))})
      await pool.query('CREATE TABLE people (id int PRIMARY KEY, name text)')
      await Promise.all([1, 2, 3].map((id) => pool.query('INSERT INTO people VALUES ($1, $2)', [id, 'n' + id])))
      const { rows } = await pool.query('SELECT count(*)::int AS all, max(name) AS last FROM people')
      console.log(JSON.stringify(rows), pool.totalCount)`
    expect(await printed(body)).toEqual(['[{"all":3,"last":"n3"}] 3'])
  })

  it('speaks TLS, and judges the certificate', async () => {
    const port = await open(secure)
    const connecting = (ssl: string): string => `const { Client } = require('pg')
      const client = new Client({ ...${options(port)}, ssl: ${ssl} })
      try { await client.connect(); console.log((await client.query('SELECT 7 AS n')).rows[0].n); await client.end() }
      catch (error) { console.log(error.code) }`
    expect(await printed(connecting(JSON.stringify({ ca: certificate.cert })))).toEqual(['7'])
    expect(await printed(connecting('true'))).toEqual(['DEPTH_ZERO_SELF_SIGNED_CERT'])
    expect(await printed(connecting('{ rejectUnauthorized: false }'))).toEqual(['7'])
  })
})

describe('mysql2', () => {
  /** A packet of the protocol: length, number, content. */
  const packet = (number: number, ...parts: (Buffer | readonly number[] | string)[]): Buffer => {
    const content = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
    )
    return Buffer.concat([Buffer.from([content.length & 255, content.length >> 8, 0, number]), content])
  }
  const lengthed = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
  const SALT = Buffer.from('12345678abcdefghijkl')
  // CONNECT_WITH_DB, PROTOCOL_41, SSL, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH.
  const CAPABILITIES = 0x8aa08
  const GREETING = packet(
    ...([0, [10], '8.0.0-double\0', [1, 0, 0, 0], SALT.subarray(0, 8), [0]] as const),
    ...[[CAPABILITIES & 255, (CAPABILITIES >> 8) & 255, 45, 2, 0, CAPABILITIES >> 16, 0, 21], Buffer.alloc(10)],
    ...[SALT.subarray(8), [0], 'mysql_native_password\0'],
  )
  const OK = [0, 0, 0, 2, 0, 0, 0]
  const sha1 = (...parts: Buffer[]): Buffer => createHash('sha1').update(Buffer.concat(parts)).digest()
  const proof = (password: string): Buffer => {
    const once = sha1(Buffer.from(password))
    const mask = sha1(SALT, sha1(once))
    return Buffer.from(once.map((byte, at) => byte ^ (mask[at] ?? 0)))
  }
  const column = (number: number, name: string): Buffer =>
    packet(number, ...['def', '', '', '', name, ''].map(lengthed), [12, 45, 0, 40, 0, 0, 0, 253, 0, 0, 0, 0, 0])

  /** Answers each query with one row: the query itself. */
  function speak(socket: Duplex, response: Buffer): void {
    const isProven = response.includes(proof('secret'))
    if (!isProven) return void socket.end(packet(response[3] === 2 ? 3 : 2, [0xff, 0x15, 0x04], '#28000Access denied'))
    socket.write(packet((response[3] ?? 0) + 1, OK))
    socket.on('data', (part: Buffer) => {
      if (part[4] !== 3) return void socket.end()
      const END = [0xfe, 0, 0, 2, 0]
      const row = packet(4, lengthed(part.subarray(5).toString()))
      socket.write(Buffer.concat([packet(1, [1]), column(2, 'said'), packet(3, END), row, packet(5, END)]))
    })
  }
  const double = (socket: Socket): void => {
    socket.write(GREETING)
    socket.once('data', (part) => {
      // A request for TLS is the beginning of the response alone.
      if (part.length > 40) return speak(socket, part)
      const inside = new TLSSocket(socket, { isServer: true, ...certificate })
      inside.on('error', () => {})
      inside.once('data', (response) => speak(inside, response))
    })
  }
  const querying = (more: string, port: number): string => `const mysql = require('mysql2/promise')
    try {
      const client = await mysql.createConnection({ host: 'localhost', port: ${port}, user: 'app', password: 'secret', database: 'people', ...${more} })
      const [rows] = await client.query('SELECT ?', ['a'])
      console.log(JSON.stringify(rows))
      await client.end()
    } catch (error) { console.log(error.code) }`

  it('connects with a password and queries', async () => {
    const port = await open(double)
    expect(await printed(querying('{}', port))).toEqual([`[{"said":"SELECT 'a'"}]`])
    expect(await printed(querying("{ password: 'wrong' }", port))).toEqual(['ER_ACCESS_DENIED_ERROR'])
  })

  it('speaks TLS', async () => {
    const port = await open(double)
    const ssl = JSON.stringify({ ssl: { ca: certificate.cert, verifyIdentity: true } })
    expect(await printed(querying(ssl, port))).toEqual([`[{"said":"SELECT 'a'"}]`])
    expect(await printed(querying('{ ssl: {} }', port))).toEqual(['HANDSHAKE_SSL_ERROR'])
  })
})

describe('mongodb', () => {
  const OP_REPLY = 1
  const OP_QUERY = 2004
  const OP_MSG = 2013
  const HELLO = { helloOk: true, isWritablePrimary: true, ismaster: true, minWireVersion: 0, maxWireVersion: 21, ok: 1 }
  const people: BSON.Document[] = []

  function answerTo(command: BSON.Document): BSON.Document {
    if ('hello' in command || 'ismaster' in command)
      return { ...HELLO, maxBsonObjectSize: 16_777_216, localTime: new Date(0) }
    if ('insert' in command) {
      people.push(...command.documents)
      return { n: command.documents.length, ok: 1 }
    }
    if (!('find' in command)) return { ok: 1 }
    const firstBatch = people.filter(({ name }) => name === command.filter.name)
    return { cursor: { firstBatch, id: BSON.Long.ZERO, ns: 'shop.people' }, ok: 1 }
  }

  /** A message as the protocol has it: its length, its number, what it answers, its kind. */
  function reply(message: Buffer): Buffer {
    const kind = message.readInt32LE(12)
    const from = kind === OP_QUERY ? message.indexOf(0, 20) + 9 : 21
    const bytes = message.subarray(from, from + message.readInt32LE(from))
    const document = BSON.serialize(
      answerTo({ ...BSON.deserialize(bytes), ...sequenceOf(message, from + bytes.length) }),
    )
    const before = kind === OP_QUERY ? Buffer.from([8, ...Array(15).fill(0), 1, 0, 0, 0]) : Buffer.alloc(5)
    const head = Buffer.alloc(16)
    head.writeInt32LE(16 + before.length + document.length, 0)
    head.writeInt32LE(message.readInt32LE(4), 8)
    head.writeInt32LE(kind === OP_QUERY ? OP_REPLY : OP_MSG, 12)
    return Buffer.concat([head, before, document])
  }
  /** Documents beside the command: a section of kind 1. */
  function sequenceOf(message: Buffer, at: number): BSON.Document {
    if (message.readInt32LE(12) === OP_QUERY || message[at] !== 1) return {}
    const name = message.indexOf(0, at + 5)
    return { [message.toString('utf8', at + 5, name)]: [BSON.deserialize(message.subarray(name + 1))] }
  }
  const double = (socket: Duplex): void =>
    void socket.on('data', (part: Buffer) => {
      for (let at = 0; at < part.length; at += part.readInt32LE(at))
        socket.write(reply(part.subarray(at, at + part.readInt32LE(at))))
    })
  const secure = (socket: Socket): void =>
    double(new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => {}))

  it.each(['in the clear', 'with TLS'])('writes and reads %s', async (how) => {
    people.length = 0
    const tls = how === 'with TLS'
    const port = await open(tls ? secure : double)
    const body = `const { MongoClient } = require('mongodb')
      const client = new MongoClient('mongodb://localhost:${port}/?directConnection=true', { tls: ${tls}, ca: ${JSON.stringify(certificate.cert)} })
      const people = client.db('shop').collection('people')
      await people.insertOne({ _id: 1, name: 'Ada', since: new Date(0) })
      console.log(JSON.stringify(await people.findOne({ name: 'Ada' })))
      await client.close()
      console.log('closed')`
    expect(await printed(body)).toEqual(['{"_id":1,"name":"Ada","since":"1970-01-01T00:00:00.000Z"}', 'closed'])
  })
})

describe('@aws-sdk/client-dynamodb', () => {
  it('signs a request and reads its answer', async () => {
    const heads: unknown[] = []
    const double = createHttpServer(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const { authorization, 'x-amz-target': target } = request.headers
      heads.push([authorization?.split('/', 1)[0], target, body.Key])
      response.setHeader('content-type', 'application/x-amz-json-1.0')
      response.end(JSON.stringify({ Item: { id: { S: 'ada' }, plan: { S: 'gold' } } }))
    })
    await once(double.listen(0, '127.0.0.1'), 'listening')
    const { port } = double.address() as AddressInfo
    const body = `const { DynamoDBClient, GetItemCommand } = require('@aws-sdk/client-dynamodb')
      const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret' }
      const client = new DynamoDBClient({ endpoint: 'http://127.0.0.1:${port}', region: 'eu-central-1', credentials })
      const { Item } = await client.send(new GetItemCommand({ TableName: 'people', Key: { id: { S: 'ada' } } }))
      console.log(Item.plan.S)`
    expect(await printed(body)).toEqual(['gold'])
    expect(heads).toEqual([['AWS4-HMAC-SHA256 Credential=AKID', 'DynamoDB_20120810.GetItem', { id: { S: 'ada' } }]])
    double.closeAllConnections()
    double.close()
  })
})
