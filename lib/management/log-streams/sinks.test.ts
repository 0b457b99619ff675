// What each kind of sink is sent.
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { CATEGORIES, categoryOf, EVENTS } from '../../data/audit/events'
import { type LogEntry, SINKS, type StreamType } from './sinks'

const AT = new Date('2026-11-22T12:00:00.500Z')
const ENTRIES: LogEntry[] = ['1', '2'].map((log_id) => ({
  log_id,
  date: '2026-11-22T11:59:59.250Z',
  type: 's',
  description: 'Successful login',
  hostname: 'id.test',
  ...(log_id === '1' ? { user_id: 'auth0|kim' } : {}),
}))
const WRAPPED = ENTRIES.map((data) => ({ log_id: data.log_id, data }))

const requestOf = (type: StreamType, sink: Record<string, string>) =>
  SINKS[type].request(SINKS[type].settings.parse(sink), ENTRIES, AT)
const linesIn = (body: string): unknown[] => body.split('\n').map((line) => JSON.parse(line))

const HTTP = { httpEndpoint: 'https://sink.test/logs' }

it('sends lines, an array or an object to an address', () => {
  const lines = requestOf('http', HTTP)
  expect(lines).toMatchObject({ url: HTTP.httpEndpoint, type: 'application/json', headers: {} })
  expect(linesIn(lines.body)).toEqual(WRAPPED)
  expect(JSON.parse(requestOf('http', { ...HTTP, httpContentFormat: 'JSONARRAY' }).body)).toEqual(WRAPPED)
  expect(JSON.parse(requestOf('http', { ...HTTP, httpContentFormat: 'JSONOBJECT' }).body)).toEqual({ logs: WRAPPED })
})

it('signs the bytes that it sends', () => {
  const key = 'a key of sixteen or more'
  const { headers, body } = requestOf('http', { ...HTTP, httpAuthorization: 'Bearer x', httpSigningSecret: key })
  const time = Math.floor(AT.getTime() / 1000)
  const signature = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
  expect(headers).toEqual({ authorization: 'Bearer x', 'latchkey-signature': `t=${time},v1=${signature}` })
})

it('speaks to Datadog', () => {
  const { url, headers, body } = requestOf('datadog', { datadogApiKey: 'key', datadogRegion: 'us5' })
  expect({ url, headers }).toEqual({
    url: 'https://http-intake.logs.us5.datadoghq.com/api/v2/logs',
    headers: { 'dd-api-key': 'key' },
  })
  expect(JSON.parse(body)[0]).toEqual({ ddsource: 'auth0', service: 'auth0', hostname: 'id.test', ...WRAPPED[0] })
})

it('speaks to Splunk', () => {
  const { url, headers, body } = requestOf('splunk', { splunkDomain: 'demo.splunk.test', splunkToken: 'token' })
  expect({ url, headers }).toEqual({
    url: 'https://demo.splunk.test:8088/services/collector/event',
    headers: { authorization: 'Splunk token' },
  })
  expect(linesIn(body)[0]).toMatchObject({ time: 1795348799.25, host: 'id.test', event: WRAPPED[0] })
})

it('speaks to Sumo Logic', () => {
  const { url, body } = requestOf('sumo', { sumoSourceAddress: 'https://sumo.test/secret' })
  expect(url).toBe('https://sumo.test/secret')
  expect(linesIn(body)).toEqual(WRAPPED)
})

it('speaks to Segment', () => {
  const { url, headers, body } = requestOf('segment', { segmentWriteKey: 'key' })
  expect(url).toBe('https://api.segment.io/v1/batch')
  expect(headers).toEqual({ authorization: `Basic ${Buffer.from('key:').toString('base64')}` })
  const [known, unknown] = JSON.parse(body).batch
  expect(known).toMatchObject({ type: 'track', messageId: '1', userId: 'auth0|kim', event: 'Successful login' })
  expect(unknown).toMatchObject({ messageId: '2', anonymousId: '2' })
  expect(unknown).not.toHaveProperty('userId')
})

it('speaks to Mixpanel', () => {
  const { url, headers, body } = requestOf('mixpanel', {
    mixpanelRegion: 'eu',
    mixpanelProjectId: '42',
    mixpanelServiceAccountUsername: 'name',
    mixpanelServiceAccountPassword: 'password',
  })
  expect(url).toBe('https://api-eu.mixpanel.com/import?strict=1&project_id=42')
  expect(headers).toEqual({ authorization: `Basic ${Buffer.from('name:password').toString('base64')}` })
  expect(JSON.parse(body)[0]).toMatchObject({
    event: 'Successful login',
    properties: { distinct_id: 'auth0|kim', $insert_id: '1', time: 1795348799250 },
  })
})

it('has a category for every event', () => {
  for (const { code } of Object.values(EVENTS)) expect(CATEGORIES).toContain(categoryOf(code))
  expect(categoryOf('fp')).toBe('auth.login.fail')
  expect(categoryOf('of a later release')).toBe('other')
})
