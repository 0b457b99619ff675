// What all tenants of a process share, and each runtime is opened with.
import type { Metrics } from '../../adapters/metrics/metrics'
import type { Announcements } from '../../adapters/store/announcements'
import type { Database } from '../../adapters/store/database'
import type { RedisClient } from '../../adapters/store/redis/client'
import type { XmlThreads } from '../../crypto/saml/xml-reader'
import type { AuditLog } from '../../data/audit/audit'
import type { LoginLog } from '../../data/logins/login-log'
import type { Channel, ChannelName, StoredMessageCause } from '../../data/outbox/message'
import type { OutboxStore } from '../../data/outbox/outbox'
import type { Stores } from '../../data/rate-limit/limiter'
import type { BreachedPasswords } from '../../data/users/breached-passwords'
import type { PasswordHasher } from '../../data/users/password'
import type { Admit } from '../../http/admission'
import type { RunLog } from '../../identity/tenant-code/actions/runs'
import type { PlaceOf } from '../../identity/tenant-code/geoip'
import type { Bundler } from '../../identity/tenant-code/packages/bundle'
import type { Sandbox } from '../../identity/tenant-code/sandbox/sandbox'
import type { AdmitWait } from '../../identity/tenant-code/scripts/script-build'
import type { CallOut } from '../../kernel/call-out'
import type { Clock } from '../../kernel/clock'
import type { TextLookup } from '../../kernel/domain'
import type { Observe } from '../../kernel/observe'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import type { PageRenderer } from '../../pages/respond'
import type { PageAssets } from '../../pages/view'
import type { Examiner } from '../doctor/finding'
import type { Logger } from '../maintenance/log'
import type { Outages } from '../maintenance/outages'
import type { ExplorerFiles } from './explorer'
import type { Runtime } from './runtime'

export type Shared = {
  baseUrl: string
  /** Whether HSTS includes subdomains; never on custom domains. */
  hstsSubdomains?: boolean | undefined
  port: number
  vendorHost: string
  demo: boolean
  devOutbox: boolean
  db: Database
  /** Load shedding: whether one more request is accepted; undefined for no limit. */
  admit?: Admit | undefined
  /** Announcements of configuration changes; without them caches are read again each second. */
  announced?: Announcements | undefined
  clock: Clock
  random: Random
  vault: Vault
  log: Logger
  outages: Outages
  passwords: PasswordHasher
  breached: BreachedPasswords
  /** Where addresses are. */
  placeOf: PlaceOf
  /** Whether requests of actions have the id of the request that caused them. */
  passesRequestIds: boolean
  /** Where limits are counted. */
  buckets: Stores
  /** Optional; everything works without Redis. */
  redis: RedisClient | undefined
  outbox: OutboxStore
  audit: AuditLog
  loginLog: LoginLog
  /** Undefined where metrics are off. */
  metrics?: Metrics | undefined
  examiner?: Examiner | undefined
  observe?: Observe | undefined
  /** The HTTP client for calls to other servers. */
  callOut: CallOut
  /** Looks up TXT records. */
  findTexts: TextLookup
  /** The threads that read XML of other parties. */
  xmlThreads: XmlThreads
  explorerFiles: ExplorerFiles
  /** The sandbox that runs actions, and the log of their runs. */
  sandbox: Sandbox
  actionRuns: RunLog
  /** The channel of a tenant with a provider of its own. */
  tenantChannel(channel: ChannelName, tenantId: string, cause?: StoredMessageCause): Promise<Channel | null>
  /** Called after a commit that added to the outbox. */
  wakeDispatcher(): void
  /** Called after a commit that made a job, or something to build. */
  wakeJobs(): void
  /** Null where nothing is built in the background. */
  admitWait: AdmitWait | null
  /** Bundles the packages of actions. */
  bundler: Bundler
  /** The largest import of users. */
  maxImportBytes: number
  /** Called after a commit that changed a log stream. */
  wakeStreams(): void
  renderPage: PageRenderer
  assets: PageAssets
  readiness: Runtime['readiness']
}
