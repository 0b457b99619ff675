// Log streams in the Management API: sinks, secrets, refusals. Their delivery: lib/management/log-streams/delivery.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addManager, type Manager } from '../../../testing/management'
import { type TestServer, testServer } from '../../../testing/server'

let server: TestServer
let manager: Manager
let made = 0

beforeAll(async () => {
  server = await testServer()
  manager = await addManager(server)
})
afterAll(() => server.close())

const MASK = '********'
const HTTP = { httpEndpoint: 'https://sink.test/logs' }

const create = (type: string, sink: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  manager.post('/log-streams', { name: `stream ${++made}`, type, sink, ...more })

async function remove(id: unknown): Promise<void> {
  await manager.remove(`/log-streams/${String(id)}`)
}

it.each([
  ['http', { ...HTTP, httpAuthorization: 'the secret of it', httpSigningSecret: 'the signing secret' }],
  ['datadog', { datadogApiKey: 'the secret of it', datadogRegion: 'eu' }],
  ['splunk', { splunkDomain: 'splunk.test', splunkPort: '8088', splunkToken: 'the secret of it', splunkSecure: true }],
  ['sumo', { sumoSourceAddress: 'https://sumo.test/the-secret' }],
  ['segment', { segmentWriteKey: 'the secret of it' }],
  [
    'mixpanel',
    {
      mixpanelRegion: 'us',
      mixpanelProjectId: '1',
      mixpanelServiceAccountUsername: 'name',
      mixpanelServiceAccountPassword: 'the secret of it',
    },
  ],
])('shows, stores and logs no secret of %s', async (type, sink) => {
  const answer = await create(type, sink)
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.json()
  const shown = answer.json().sink as Record<string, unknown>
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(sink)))
  expect(Object.values(shown)).toContain(MASK)
  const { rows } = await server.database.pool.query('SELECT *, sealed_sink::text FROM log_stream')
  const hex = Buffer.from('secret').toString('hex')
  for (const text of [answer.text, JSON.stringify(rows), JSON.stringify(await server.audited())]) {
    expect(text).not.toMatch(/the secret of it|the-secret|the signing secret/)
    expect(text).not.toContain(hex)
  }
  await remove(id)
})

describe('a secret', () => {
  const sealedOf = async (id: string): Promise<Record<string, unknown>> => {
    const { rows } = await server.database.pool.query('SELECT sealed_sink FROM log_stream WHERE id = $1', [id])
    return JSON.parse(String(server.vault.open('log-stream', rows[0].sealed_sink)))
  }
  const headers = [{ header: 'x-key', value: 'first' }]

  it.each([
    ['its mask', { httpAuthorization: MASK, httpCustomHeaders: [{ header: 'x-key', value: MASK }] }],
    ['its absence', { httpCustomHeaders: [{ header: 'x-key', value: MASK }] }],
  ])('is kept by %s, at the same destination alone', async (_what, kept) => {
    const sink = { ...HTTP, httpAuthorization: 'Bearer one', httpCustomHeaders: headers }
    const { id } = (await create('http', sink)).json() as { id: string }
    const path = `/log-streams/${id}`
    const changed = await manager.patch(path, { sink: { ...HTTP, ...kept, httpContentFormat: 'JSONARRAY' } })
    expect(changed.status, changed.text).toBe(200)
    expect(await sealedOf(id)).toMatchObject({ ...sink, httpContentFormat: 'JSONARRAY' })
    const elsewhere = { ...kept, httpEndpoint: 'https://evil.test/' }
    expect((await manager.patch(path, { sink: elsewhere })).json()).toMatchObject({
      errorCode: 'invalid_body',
      message: expect.stringContaining('send httpAuthorization again'),
    })
    expect(await sealedOf(id)).toMatchObject(HTTP)
    await remove(id)
  })

  it('is kept by the placeholder of the Deploy CLI, and no placeholder is stored', async () => {
    const { id } = (await create('http', { ...HTTP, httpAuthorization: 'Bearer one' })).json() as { id: string }
    const placeholder = { ...HTTP, httpAuthorization: '##LOGSTREAMS_HTTP##' }
    expect((await manager.patch(`/log-streams/${id}`, { sink: placeholder })).status).toBe(200)
    expect(await sealedOf(id)).toMatchObject({ httpAuthorization: 'Bearer one' })
    expect((await create('http', placeholder)).json()).toMatchObject({ errorCode: 'invalid_body' })
    await remove(id)
  })

  it('of a header is kept at the same destination alone', async () => {
    const { id } = (await create('http', { ...HTTP, httpCustomHeaders: headers })).json() as { id: string }
    const masked = [{ header: 'x-key', value: MASK }]
    const sink = { httpEndpoint: 'https://evil.test/', httpCustomHeaders: masked }
    expect((await manager.patch(`/log-streams/${id}`, { sink })).status).toBe(400)
    await remove(id)
  })

  it('is removed by null', async () => {
    const { id } = (await create('http', { ...HTTP, httpAuthorization: 'Bearer one' })).json() as { id: string }
    await manager.patch(`/log-streams/${id}`, { sink: { ...HTTP, httpAuthorization: null } })
    expect(await sealedOf(id)).not.toHaveProperty('httpAuthorization')
    await remove(id)
  })
})

it.each([
  ['eventbridge', { awsAccountId: '1', awsRegion: 'us-east-1' }, {}, 'type eventbridge do not exist here'],
  ['eventgrid', { azureSubscriptionId: 'a' }, {}, 'type eventgrid do not exist here'],
  ['carrier-pigeon', {}, {}, 'type'],
  ['http', {}, {}, 'httpEndpoint'],
  ['http', { httpEndpoint: 'file:///etc/passwd' }, {}, 'httpEndpoint'],
  ['http', { httpEndpoint: 'https://name:word@sink.test' }, {}, 'httpEndpoint'],
  ['http', { ...HTTP, httpAuthorization: 'a\r\nb: c' }, {}, 'httpAuthorization'],
  ['http', { ...HTTP, httpAuthorization: MASK }, {}, 'httpAuthorization is a mask'],
  ['http', { ...HTTP, httpContentType: 'text\r\nx: y' }, {}, 'httpContentType'],
  ['http', { ...HTTP, httpCustomHeaders: [{ header: 'host', value: 'x' }] }, {}, 'httpCustomHeaders'],
  ['http', { ...HTTP, httpCustomHeaders: [{ header: 'a b', value: 'x' }] }, {}, 'httpCustomHeaders'],
  ['http', { ...HTTP, httpCustomHeaders: [{ header: 'a', value: MASK }] }, {}, 'no stored value'],
  ['http', { ...HTTP, httpRetries: 5 }, {}, 'httpRetries'],
  ['splunk', { splunkDomain: 'a.test/evil', splunkToken: 'x' }, {}, 'splunkDomain'],
  ['splunk', { splunkDomain: 'a.test', splunkToken: 'x', splunkSecure: false }, {}, 'always verified'],
  ['datadog', { datadogApiKey: 'x', datadogRegion: 'moon' }, {}, 'datadogRegion'],
  ['http', HTTP, { isPriority: true }, 'one priority'],
  ['http', HTTP, { pii_config: { log_fields: ['email'], method: 'hash' } }, 'log_fields'],
  ['http', HTTP, { filters: [{ type: 'category', name: 'all' }] }, 'filters'],
  ['http', HTTP, { startFrom: 'yesterday' }, 'startFrom'],
  ['http', HTTP, { status: 'suspended' }, 'status'],
])('refuses %s with %j and %j', async (type, sink, more, word) => {
  const answer = await create(type, sink, more)
  expect(answer.json()).toMatchObject({ statusCode: 400, errorCode: 'invalid_body' })
  expect(answer.text).toContain(word)
})

it('refuses another type, and a suspension, in a change', async () => {
  const { id } = (await create('http', HTTP)).json()
  const path = `/log-streams/${String(id)}`
  expect((await manager.patch(path, { type: 'sumo' })).status).toBe(400)
  expect((await manager.patch(path, { status: 'suspended' })).status).toBe(400)
  expect((await manager.patch(path, { type: 'http', status: 'paused' })).json()).toMatchObject({ status: 'paused' })
  await remove(id)
})

it('lists all as a bare array, at most twenty', async () => {
  for (let n = 0; n < 20; n += 1) expect((await create('http', HTTP)).status).toBe(201)
  expect((await create('http', HTTP)).json()).toMatchObject({ statusCode: 409, errorCode: 'too_many_log_streams' })
  expect(JSON.parse((await manager.get('/log-streams')).text)).toHaveLength(20)
})

it('has no health of an unknown stream', async () => {
  expect((await manager.get('/log-streams/none/health')).json()).toMatchObject({
    statusCode: 404,
    errorCode: 'inexistent_log_stream',
  })
})
