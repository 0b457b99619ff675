// Opens a connection to Redis or Valkey, for the three forms of REDIS_URL.
// - A command does not wait for the connection, is never sent twice, and has a timeout of a quarter second. The caller continues
//   without Redis soon rather than late.
// - Reconnection attempts never end, and an error never ends the process.
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from '../../../settings/redis-address'

export type RedisConnection = Redis | Cluster

const COMMAND_MS = 250
const CONNECT_MS = 1000
const MAX_WAIT_MS = 1000

const retryStrategy = (times: number): number => Math.min(100 * times, MAX_WAIT_MS)

export function connect(address: RedisAddress, commandMs = COMMAND_MS): RedisConnection {
  const connection = open(address, commandMs)
  // Failing commands report errors themselves. An error event without a listener would end the process.
  connection.on('error', () => {})
  return connection
}

/** Two `return`s: for a conditional expression the compiler would compare all members of both classes, which takes seconds. */
function open(address: RedisAddress, commandMs: number): RedisConnection {
  if (address.kind === 'cluster') return new Cluster(address.nodes, clusterOptions(address, commandMs))
  return new Redis({ ...serverOptions(address, commandMs), ...whereOf(address), enableOfflineQueue: false })
}

function serverOptions({ username, password, database, tls }: RedisAddress, commandTimeout: number): RedisOptions {
  return {
    username,
    password,
    db: database,
    connectionName: 'latchkey',
    connectTimeout: CONNECT_MS,
    keepAlive: 10_000,
    retryStrategy,
    ...(tls ? { tls: {} } : {}),
    commandTimeout,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // The primary has become a replica: the next connection finds the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  }
}

function whereOf({ kind, nodes, primary, tls, sentinelPassword }: RedisAddress): RedisOptions {
  const [node] = nodes
  if (kind === 'single' && node) return node
  return {
    sentinels: nodes,
    name: primary,
    sentinelPassword,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: CONNECT_MS,
    failoverDetector: true,
    enableTLSForSentinelMode: tls,
    ...(tls ? { sentinelTLS: {} } : {}),
  }
}

function clusterOptions(address: RedisAddress, commandMs: number): ClusterOptions {
  const { retryStrategy: _, ...redisOptions } = serverOptions(address, commandMs)
  return {
    redisOptions,
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue: false,
    maxRedirections: 2,
    // Certificates contain host names, so names must not be resolved to addresses here.
    dnsLookup: (host, done) => done(null, host),
  }
}
