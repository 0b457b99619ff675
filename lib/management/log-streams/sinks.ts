// What a stream sends to each kind of sink, as plain data: settings, their secrets, and the request for some records.
// - A secret is bound to its destination: it is given again when the destination changes, so that a person who may change a
//   stream but does not know the secret cannot have it sent elsewhere.
import { createHmac } from 'node:crypto'
import * as z from 'zod'
import { orMeant, orMeantHost } from '../../kernel/address'
import { epochSeconds } from '../../kernel/clock'
import type { JsonObject } from '../../kernel/json'
import { parseUrl } from '../../kernel/url'

export const STREAM_TYPES = ['http', 'datadog', 'splunk', 'sumo', 'segment', 'mixpanel'] as const
export type StreamType = (typeof STREAM_TYPES)[number]

/** A record of the audit log in the vendor's format. */
export type LogEntry = Readonly<Record<string, unknown>> & { log_id: string; date: string; type: string }

/** `fixed`: the address is that of the service, and not chosen by the tenant. */
export type SinkRequest = {
  url: string
  type: string
  body: string
  headers: Readonly<Record<string, string>>
  fixed?: boolean
}

type Sink<S> = {
  settings: z.ZodType<S>
  secrets: readonly string[]
  /** Where the secrets are sent. */
  destination(sink: S): string
  request(sink: S, entries: readonly LogEntry[], at: Date): SinkRequest
}

/** Which sink a stream has is known when it is read, so its settings are checked when they are written. */
const define = <S extends JsonObject>(sink: Sink<S>): Sink<JsonObject> => sink

const JSON_TYPE = 'application/json'

const secret = z.string().min(1).max(2000)
const visible = z
  .string()
  .max(2000)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible characters')
const address = z
  .string()
  .max(2000)
  .refine(
    (text) => {
      const url = parseUrl(text)
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    },
    { error: orMeant('must be an https address without credentials', { secure: true }) },
  )

/** Headers that describe the message itself, or that other settings set. */
const OWN_HEADER =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|authorization|latchkey-signature|cookie)$/i

const customHeader = z.strictObject({
  header: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'must be the name of a header')
    .refine((name) => !OWN_HEADER.test(name), 'must not be a header that this server sets'),
  value: visible,
})

const wrapped = (entries: readonly LogEntry[]) => entries.map((data) => ({ log_id: data.log_id, data }))
const linesOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n')
const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

const FORMATS = {
  JSONLINES: (values: readonly unknown[]) => linesOf(values),
  JSONARRAY: (values: readonly unknown[]) => JSON.stringify(values),
  JSONOBJECT: (values: readonly unknown[]) => JSON.stringify({ logs: values }),
}

const http = define({
  settings: z.strictObject({
    httpEndpoint: address.meta({ title: 'Address', help: 'An https address that accepts POST requests.' }),
    httpContentType: visible.max(200).default(JSON_TYPE).meta({ title: 'Content type' }),
    httpContentFormat: z
      .enum(['JSONLINES', 'JSONARRAY', 'JSONOBJECT'])
      .default('JSONLINES')
      .meta({
        title: 'Format',
        options: {
          JSONLINES: 'One entry on each line',
          JSONARRAY: 'A list of entries',
          JSONOBJECT: 'An object with the list',
        },
      }),
    httpAuthorization: visible.optional().meta({ title: 'Authorization header' }),
    httpCustomHeaders: z
      .array(customHeader)
      .max(10)
      .optional()
      .meta({ title: 'Further headers', help: 'Sent with each request, such as `x-environment`.' }),
    /** Ours: the key of the signature. */
    httpSigningSecret: z.string().min(16).max(200).optional().meta({
      title: 'Key of the signature',
      help: 'With 16 characters or more, each request has the header Latchkey-Signature, by which your server recognizes it.',
      secret: true,
    }),
  }),
  secrets: ['httpAuthorization', 'httpSigningSecret'],
  destination: ({ httpEndpoint }) => httpEndpoint,
  request(sink, entries, at) {
    const body = FORMATS[sink.httpContentFormat](wrapped(entries))
    const own = (sink.httpCustomHeaders ?? []).map(({ header, value }) => [header.toLowerCase(), value])
    const headers = {
      ...Object.fromEntries(own),
      ...(sink.httpAuthorization === undefined ? {} : { authorization: sink.httpAuthorization }),
      ...(sink.httpSigningSecret === undefined ? {} : { 'latchkey-signature': sign(body, sink.httpSigningSecret, at) }),
    }
    return { url: sink.httpEndpoint, type: sink.httpContentType, body, headers }
  },
})

/** `t=<epoch seconds>,v1=<hex HMAC-SHA-256 of "<t>.<body>">`, as for gateways of text messages. */
function sign(body: string, key: string, at: Date): string {
  const time = epochSeconds(at)
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`
}

const DATADOG_SITES = {
  us: 'datadoghq.com',
  eu: 'datadoghq.eu',
  us3: 'us3.datadoghq.com',
  us5: 'us5.datadoghq.com',
}

/** https://docs.datadoghq.com/api/latest/logs/#send-logs */
const datadog = define({
  settings: z.strictObject({
    datadogApiKey: visible.meta({ title: 'API key', secret: true }),
    datadogRegion: z.enum(['us', 'eu', 'us3', 'us5']).meta({ title: 'Region' }),
  }),
  secrets: ['datadogApiKey'],
  destination: ({ datadogRegion }) => datadogRegion,
  request: ({ datadogApiKey, datadogRegion }, entries) => ({
    fixed: true,
    url: `https://http-intake.logs.${DATADOG_SITES[datadogRegion]}/api/v2/logs`,
    type: JSON_TYPE,
    body: JSON.stringify(
      wrapped(entries).map((entry) => ({
        ddsource: 'auth0',
        service: 'auth0',
        hostname: entry.data.hostname,
        ...entry,
      })),
    ),
    headers: { 'dd-api-key': datadogApiKey },
  }),
})

/** https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector */
const splunk = define({
  settings: z.strictObject({
    splunkDomain: z
      .string()
      .max(253)
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i, { error: orMeantHost('must be a host name') })
      .meta({ title: 'Host' }),
    splunkPort: z
      .union([z.string(), z.number().int()])
      .transform(String)
      .pipe(
        z
          .string()
          .regex(/^[1-9]\d{0,4}$/, 'must be a port')
          .refine((port) => Number(port) < 65_536, 'must be a port'),
      )
      .default('8088')
      .meta({ title: 'Port' }),
    splunkToken: visible.meta({ title: 'Token', secret: true }),
    splunkSecure: z.literal(true, 'must be true: certificates are always verified').default(true),
  }),
  secrets: ['splunkToken'],
  destination: ({ splunkDomain, splunkPort }) => `${splunkDomain}:${splunkPort}`,
  request: ({ splunkDomain, splunkPort, splunkToken }, entries) => ({
    url: `https://${splunkDomain}:${splunkPort}/services/collector/event`,
    type: JSON_TYPE,
    body: linesOf(
      wrapped(entries).map((event) => ({
        time: new Date(event.data.date).getTime() / 1000,
        host: event.data.hostname,
        source: 'auth0',
        sourcetype: 'auth0_logs',
        event,
      })),
    ),
    headers: { authorization: `Splunk ${splunkToken}` },
  }),
})

/** The address of a source is its credential. */
const sumo = define({
  settings: z.strictObject({
    sumoSourceAddress: address.meta({
      title: 'Address of the source',
      help: 'Anyone who knows it can send to it, so it is kept like a secret.',
    }),
  }),
  secrets: ['sumoSourceAddress'],
  destination: () => '',
  request: ({ sumoSourceAddress }, entries) => ({
    url: sumoSourceAddress,
    type: JSON_TYPE,
    body: linesOf(wrapped(entries)),
    headers: {},
  }),
})

const personOf = ({ user_id, log_id }: LogEntry): string => (typeof user_id === 'string' ? user_id : log_id)

/** https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/#batch */
const segment = define({
  settings: z.strictObject({ segmentWriteKey: secret.meta({ title: 'Write key', secret: true }) }),
  secrets: ['segmentWriteKey'],
  destination: () => '',
  request: ({ segmentWriteKey }, entries) => ({
    fixed: true,
    url: 'https://api.segment.io/v1/batch',
    type: JSON_TYPE,
    body: JSON.stringify({
      batch: entries.map((entry) => ({
        type: 'track',
        messageId: entry.log_id,
        timestamp: entry.date,
        event: entry.description,
        ...(typeof entry.user_id === 'string' ? { userId: entry.user_id } : { anonymousId: entry.log_id }),
        properties: entry,
      })),
    }),
    headers: { authorization: basic(segmentWriteKey, '') },
  }),
})

/** https://developer.mixpanel.com/reference/import-events */
const mixpanel = define({
  settings: z.strictObject({
    mixpanelRegion: z.enum(['us', 'eu']).meta({ title: 'Region' }),
    mixpanelProjectId: z
      .string()
      .regex(/^\w{1,100}$/, 'must be the id of a project')
      .meta({ title: 'Project ID' }),
    mixpanelServiceAccountUsername: z.string().min(1).max(200).meta({ title: 'Name of the service account' }),
    mixpanelServiceAccountPassword: secret.meta({ title: 'Password of the service account', secret: true }),
  }),
  secrets: ['mixpanelServiceAccountPassword'],
  destination: ({ mixpanelRegion }) => mixpanelRegion,
  request: (sink, entries) => ({
    fixed: true,
    url: `https://api${sink.mixpanelRegion === 'eu' ? '-eu' : ''}.mixpanel.com/import?strict=1&project_id=${sink.mixpanelProjectId}`,
    type: JSON_TYPE,
    body: JSON.stringify(
      entries.map((entry) => ({
        event: entry.description,
        properties: {
          ...entry,
          time: new Date(entry.date).getTime(),
          distinct_id: personOf(entry),
          $insert_id: entry.log_id.slice(-36),
        },
      })),
    ),
    headers: { authorization: basic(sink.mixpanelServiceAccountUsername, sink.mixpanelServiceAccountPassword) },
  }),
})

export const SINKS: Readonly<Record<StreamType, Sink<JsonObject>>> = { http, datadog, splunk, sumo, segment, mixpanel }
