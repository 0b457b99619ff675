// What each process setting is for, in groups: the one source of .env.example, of the table in the README and of the list of
// `npm run doctor`. lib/settings/env.ts has the schemas and with them the defaults. After a change,
// `npx vitest run lib/settings -u` writes the two files again.
import type { VariableName } from './env'

export type Setting = {
  name: VariableName
  /** Sentences in one line, with code in backticks. */
  says: string
  /** What holds while it is not set, where the schema has no default; undefined: nothing that needs words. */
  unset?: string
  /** The value in .env.example; undefined: the default of the schema. Empty: it is to be made. */
  example?: string
  /** A document with more, by its path from the root, perhaps with an anchor. */
  see?: string
}

export type SettingGroup = { title: string; settings: readonly Setting[] }

export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Production',
    settings: [
      {
        name: 'APP_URL',
        says: 'Public origin of the server, and the issuer of its tokens. `https://` outside localhost.',
        unset: '`http://localhost` with `PORT`',
        example: 'https://login.example.com',
      },
      {
        name: 'DATABASE_URL',
        says: 'PostgreSQL 15 or newer, UTF8. `?schema=auth` for another schema, `?sslmode=verify-full` for TLS.',
        unset: 'an embedded PostgreSQL in `LATCHKEY_DATA_DIR`',
        example: 'postgresql://latchkey:password@localhost:5432/latchkey',
        see: 'docs/runbook.md#the-database',
      },
      {
        name: 'LATCHKEY_SECRET',
        says: 'Encrypts secrets in the database: 32 or more random characters (`openssl rand -base64 32`). Keep it: without it the database cannot be read.',
        unset: 'generated and stored beside the data, only for the embedded database at a local address',
        example: '',
        see: 'docs/runbook.md#latchkey_secret',
      },
      {
        name: 'LATCHKEY_TRUSTED_PROXIES',
        says: 'Addresses and CIDR ranges of the proxies whose forwarding header is trusted. Without it, all users behind a proxy share its address.',
        unset: 'no proxy',
        example: '10.0.0.0/8,::1',
        see: 'docs/runbook.md#reverse-proxies',
      },
      {
        name: 'SMTP_URL',
        says: 'The mail server.',
        unset: 'mails of tenants without a provider of their own are not sent',
        example: 'smtp://user:password@mail.example.com:587',
        see: 'docs/runbook.md#mail',
      },
      {
        name: 'SMTP_FROM',
        says: 'The sender of mails. Set together with `SMTP_URL`.',
        example: 'Example <login@example.com>',
      },
    ],
  },
  {
    title: 'Server',
    settings: [
      { name: 'PORT', says: 'Port to listen on.' },
      {
        name: 'LATCHKEY_HOST',
        says: 'Address to listen on.',
        unset: '`localhost` if `APP_URL` is local, else `0.0.0.0`',
        example: 'localhost',
      },
      {
        name: 'LATCHKEY_FORWARDING_HEADER',
        says: "The header in which proxies state the client's address: `x-forwarded-for`, or `forwarded` (RFC 7239). The other one is ignored.",
      },
      { name: 'LATCHKEY_ALLOW_HTTP', says: '1 permits a plain http `APP_URL` outside localhost.' },
      {
        name: 'LATCHKEY_HSTS_SUBDOMAINS',
        says: '1: HSTS includes all subdomains of the host of `APP_URL`. Only if all of them support https.',
      },
      {
        name: 'LATCHKEY_WORKERS',
        says: 'Processes that serve on the one port: a number, or `auto` for one per core. More than one needs `DATABASE_URL`, and costs more CPU and memory for the same work. SIGHUP replaces several one by one, without a failed request.',
        unset: '1',
        example: '1',
        see: 'docs/scaling.md#cores',
      },
      {
        name: 'LATCHKEY_STOP_DELAY',
        says: 'Seconds after SIGTERM in which the server still accepts requests while `/readyz` answers 503: longer than a load balancer needs to react.',
      },
    ],
  },
  {
    title: 'Tenant',
    settings: [
      {
        name: 'LATCHKEY_CONFIG',
        says: 'Tenant file (YAML) that is applied at every start.',
        unset: 'the demo tenant in demo mode, else what the database has',
        example: 'tenant.yaml',
        see: 'docs/tenant-file.md',
      },
      {
        name: 'LATCHKEY_BREACHED_PASSWORDS',
        says: 'Pwned Passwords as its downloader writes them: one file, or a folder of ranges.',
        unset: 'the small built-in file',
        example: '/var/lib/latchkey/pwnedpasswords.txt',
        see: 'docs/breached-passwords.md',
      },
      {
        name: 'LATCHKEY_GEOIP_FILE',
        says: 'A City or Country database of MaxMind (`.mmdb`): actions learn where an address is.',
        unset: 'actions get no places',
        example: '/var/lib/GeoIP/GeoLite2-City.mmdb',
        see: 'docs/actions.md#places-and-risk',
      },
      {
        name: 'LATCHKEY_FINGERPRINT_HEADERS',
        says: 'The headers by which trusted proxies state the fingerprints `ja3` and `ja4` of a TLS connection, for actions.',
        unset: 'actions get no fingerprints',
        example: 'ja3=x-ja3,ja4=x-ja4',
        see: 'docs/actions.md#places-and-risk',
      },
      {
        name: 'LATCHKEY_VENDOR_HOST',
        says: "Host in the vendor's own grant types, `http://{vendor host}/oauth/grant-type/…`.",
      },
      {
        name: 'LATCHKEY_MAX_IMPORT',
        says: 'Largest import of users by the Management API, in MB. It is stored in the database until it is done.',
      },
    ],
  },
  {
    title: 'Database and Redis',
    settings: [
      {
        name: 'LATCHKEY_DATABASE_POOL',
        says: 'Connections that each process may open to the database. Several workers share 40 by default.',
        unset: '10; on Vercel 2',
        example: '10',
      },
      {
        name: 'LATCHKEY_DATABASE_POOLED',
        says: '1: `DATABASE_URL` is a pooler in transaction mode without prepared statements, such as an old PgBouncer.',
        see: 'docs/runbook.md#pgbouncer',
      },
      {
        name: 'LATCHKEY_MIGRATE',
        says: '1 applies database migrations at the start, 0 leaves them to `npm run migrate`.',
        see: 'docs/runbook.md#upgrades',
      },
      { name: 'LATCHKEY_DATA_DIR', says: 'Folder of the embedded database and of its generated secret.' },
      {
        name: 'LATCHKEY_KEEP_DAYS',
        says: 'Days for which ended sessions, token families and messages are kept.',
        see: 'docs/runbook.md#automatic-clean-up',
      },
      {
        name: 'LATCHKEY_NEW_SECRET',
        says: 'The new secret for `npm run secret -- add`, to change `LATCHKEY_SECRET` without downtime. Servers do not read it.',
        example: '',
        see: 'docs/runbook.md#latchkey_secret',
      },
      {
        name: 'REDIS_URL',
        says: 'Redis or Valkey that counts rate limits for several servers. Also `redis+sentinel://host:26379,host:26379/primary` and `redis+cluster://host:6379,host:6379`; `rediss…` for TLS.',
        unset: 'PostgreSQL counts',
        example: 'redis://localhost:6379',
        see: 'docs/runbook.md#redis',
      },
    ],
  },
  {
    title: 'Text messages and calls',
    settings: [
      {
        name: 'LATCHKEY_SMS_URL',
        says: 'Gateway of text messages. With credentials in the address it is called as Twilio is (`https://AC…:token@api.twilio.com/2010-04-01/Accounts/AC…/Messages.json`), without them it gets signed JSON.',
        unset: 'codes stay in the outbox',
        example: 'https://sms.example.com/send',
        see: 'docs/runbook.md#text-messages-and-calls',
      },
      {
        name: 'LATCHKEY_VOICE_URL',
        says: 'Gateway of calls, in the same two forms.',
        unset: 'codes stay in the outbox',
        example: 'https://sms.example.com/call',
      },
      {
        name: 'LATCHKEY_PHONE_FROM',
        says: "The sender's number of text messages and calls. Twilio needs it.",
        example: '+15005550006',
      },
      {
        name: 'LATCHKEY_PHONE_SECRET',
        says: 'Signs requests to gateways without credentials, including the `gateway_url` of a connection: 32 or more random characters.',
        example: '',
      },
    ],
  },
  {
    title: 'Outgoing requests',
    settings: [
      {
        name: 'LATCHKEY_ALLOW_PRIVATE_TARGETS',
        says: '1 permits requests to applications (back-channel logout) at private addresses and with plain http.',
      },
      {
        name: 'LATCHKEY_ACTION_HOSTS',
        says: 'Hosts with a port that actions reach at a private address or by plain http, such as `crm.internal:8443`; `tenant=host:port` for one tenant.',
        see: 'docs/actions.md#requests-to-other-servers',
        example: 'crm.internal:8443,10.0.0.5:5432',
      },
      {
        name: 'LATCHKEY_ACTION_REQUEST_ID',
        says: 'A header, such as `X-Request-Id`, by which HTTP requests of actions pass on the id of the request that caused them: the one in the logs.',
        see: 'docs/actions.md#requests-to-other-servers',
        example: 'X-Request-Id',
      },
      {
        name: 'LATCHKEY_OUTBOUND_PROXY',
        says: '1: outgoing HTTP requests go through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` names, except those that `NO_PROXY` names. Names are still looked up and judged here.',
        see: 'docs/runbook.md#outgoing-requests',
      },
      {
        name: 'LATCHKEY_OUTBOUND_PROXY_RESOLVES',
        says: '1: names that cannot be looked up here are left to that proxy, also in addresses that tenants chose. The proxy then has to refuse internal addresses. always: for a proxy that refuses addresses, it gets every name, after it was judged here.',
      },
    ],
  },
  {
    title: 'Logs, metrics and traces',
    settings: [
      { name: 'LATCHKEY_LOG_LEVEL', says: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.' },
      {
        name: 'LATCHKEY_AUDIT_LOG',
        says: 'Additional output of the audit log as JSON lines: `off`, `stdout`, or the path of a file. The database always contains it.',
        see: 'docs/audit-log.md',
      },
      { name: 'LATCHKEY_AUDIT_DAYS', says: 'Days for which the audit log is kept.' },
      {
        name: 'LATCHKEY_OPERATOR_TOKEN',
        says: 'Token for `/doctor` and, as bearer token, for the `/metrics` that Prometheus reads: 16 or more characters.',
        unset: 'neither path exists; `/doctor` does in demo mode',
        example: '',
        see: 'docs/metrics.md',
      },
      {
        name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
        says: 'OpenTelemetry: collector for traces of requests and statements (OTLP over HTTP).',
        unset: 'no traces',
        example: 'http://localhost:4318',
      },
      {
        name: 'OTEL_EXPORTER_OTLP_HEADERS',
        says: 'Headers for the collector: `name=value,name=value` with percent-encoded values.',
        example: 'authorization=Bearer%20token',
      },
      { name: 'OTEL_SERVICE_NAME', says: 'Name of this server in traces.' },
    ],
  },
  {
    title: 'Demo and development',
    settings: [
      {
        name: 'LATCHKEY_DEMO',
        says: 'Demo mode: a demo tenant with known passwords, a demo app at `/demo`, the outbox. 1 adds the demo tenant to the tenant of the file. Refused if `LATCHKEY_HOST` is not a loopback address.',
        unset:
          'on while `DATABASE_URL` and `LATCHKEY_CONFIG` are not set and both `APP_URL` and `LATCHKEY_HOST` are local',
        example: '1',
      },
      {
        name: 'LATCHKEY_DEV_OUTBOX',
        says: 'The outbox at `/dev/outbox`, which shows messages instead of sending them. Refused if `LATCHKEY_HOST` is not a loopback address.',
        unset: 'on while `DATABASE_URL` is not set and both `APP_URL` and `LATCHKEY_HOST` are local',
        example: '0',
      },
    ],
  },
]
