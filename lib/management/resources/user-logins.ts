// What a user is logged in by: sessions of the browser, and token families with a refresh token. A refresh token's id is that of
// its family: rotation does not change it.
import * as z from 'zod'
import type { RecordedMethod } from '../../data/sessions/session'
import { entryName, entryText, MAX_ENTRIES } from '../../kernel/entries'
import type { JsonObject } from '../../kernel/json'
import { inexistent, lacksScope } from '../operations/errors'
import {
  answerList,
  checkpointQuery,
  fieldsQuery,
  nextShape,
  type Page,
  pageQuery,
  selectFields,
  type Window,
} from '../operations/list'
import { type Call, emptyAnswer, operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'

type SessionProof = { method: string; at: string; recorded?: readonly RecordedMethod[] }

export type SessionRow = {
  sid: string
  userId: string
  evidence: readonly SessionProof[]
  authTime: Date
  participants: readonly string[]
  createdAt: Date
  lastSeenAt: Date
  idleExpiresAt: Date
  expiresAt: Date
  /** Of the request that finished the session's first login; null for what it did not send, or before it was stored. */
  initialIp: string | null
  initialUserAgent: string | null
  metadata: JsonObject | null
}

/** `tokenAt`: when the application got its newest token of the session. */
export type ClientSessionRow = SessionRow & { tokenAt: Date }

export type RefreshTokenRow = {
  id: string
  userId: string
  clientId: string
  sid: string | null
  scopes: readonly string[]
  audience: string | null
  rotatedAt: Date | null
  idleExpiresAt: Date | null
  createdAt: Date
  expiresAt: Date
  metadata: JsonObject | null
  /** Of its session, while that is stored. */
  device: { ip: string | null; userAgent: string | null } | null
}

/** The newest first: those behind this one. */
export type Newest = { after: { at: Date; id: string } | null; limit: number }

/** Only what is alive at that moment. */
export type UserLoginStore = {
  exists(userId: string): Promise<boolean>
  sessions(userId: string, window: Window, now: Date): Promise<Page<SessionRow>>
  session(sid: string, now: Date): Promise<SessionRow | null>
  /** Replaces the metadata; null if there is no such session. */
  describeSession(sid: string, metadata: JsonObject | null, now: Date): Promise<SessionRow | null>
  describeRefreshToken(id: string, metadata: JsonObject | null, now: Date): Promise<RefreshTokenRow | null>
  /** Ends the session, and with `tokens` its token families. False if there is none. */
  endSession(sid: string, at: Date, tokens: boolean): Promise<boolean>
  endSessions(userId: string, at: Date): Promise<void>
  refreshTokens(
    of: { userId: string; clientId: string | null },
    window: Window,
    now: Date,
  ): Promise<Page<RefreshTokenRow>>
  refreshToken(id: string, now: Date): Promise<RefreshTokenRow | null>
  /** Ends the family, access tokens included. False if there is none. */
  endRefreshToken(id: string, at: Date): Promise<boolean>
  /** Those of the user that are at this client and for this audience, where they are given. */
  endRefreshTokens(
    of: { userId: string; clientId?: string | undefined; audience?: string | undefined },
    at: Date,
  ): Promise<void>
  /** Those of one application. */
  tokensOf(clientId: string, window: Newest, now: Date): Promise<RefreshTokenRow[]>
  /** The sessions in which the application has a token that holds. */
  sessionsOf(clientId: string, window: Newest, now: Date): Promise<ClientSessionRow[]>
  countTokensOf(clientId: string, now: Date): Promise<{ tokens: number; users: number; sessions: number }>
  /** People with tokens of the application, in the order of their ids. */
  holdersOf(clientId: string, window: { after: string; limit: number }, now: Date): Promise<string[]>
  /** Returns how many ended. */
  endTokensOf(clientId: string, userIds: readonly string[], at: Date): Promise<number>
  /** Ends every login, unfinished ones and codes included. */
  endAll(userId: string, at: Date): Promise<void>
}

export type UserLoginDeps = { clock: { now(): Date }; userLogins: UserLoginStore; wakeDispatcher(): void }

const operation = operationsWith<UserLoginDeps>()

const listQuery = z.object({ ...checkpointQuery, include_totals: pageQuery.include_totals })
const revokeBody = z.object({
  session_id: z.string().min(1).max(200).optional(),
  preserve_refresh_tokens: z.boolean().optional(),
})

const tokensQuery = z.object({
  user_id: z.string().min(1).max(400),
  client_id: z.string().min(1).max(200).optional(),
  ...checkpointQuery,
  ...fieldsQuery,
})

const MAX_REVOKED = 100

const metadata = z
  .record(entryName, entryText)
  .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} members`)
  .nullish()

/** An absent member changes nothing; an empty object removes all, as null does. */
const orNull = (given: JsonObject | null): JsonObject | null => (given && Object.keys(given).length > 0 ? given : null)

const revokedTokens = z
  .strictObject({
    ids: z.array(z.string().max(200)).min(1).max(MAX_REVOKED).optional(),
    user_id: z.string().min(1).max(400).optional(),
    client_id: z.string().min(1).max(200).optional(),
    audience: z.string().min(1).max(2000).optional(),
  })
  .refine(({ ids, user_id }) => (ids === undefined) !== (user_id === undefined), 'Either ids or user_id is needed')
  .refine(
    ({ user_id, client_id, audience }) =>
      (client_id === undefined || user_id !== undefined) && (audience === undefined || client_id !== undefined),
    'client_id needs user_id, and audience needs client_id',
  )

const at = z.iso.datetime()

const device = z.object({ initial_user_agent: z.string().optional(), initial_ip: z.string().optional() })

export const session = z
  .object({
    id: z.string(),
    user_id: z.string(),
    created_at: at,
    updated_at: at,
    authenticated_at: at,
    idle_expires_at: at,
    expires_at: at,
    last_interacted_at: at,
    session_metadata: z.looseObject({}).nullable(),
    device: device.meta({ description: 'Of the request that finished the first login of the session' }),
    clients: z.array(z.object({ client_id: z.string() })),
    authentication: z.object({ methods: z.array(z.object({ name: z.string(), timestamp: at })) }),
  })
  .meta({ id: 'Session' })

export const refreshToken = z
  .object({
    id: z.string(),
    user_id: z.string(),
    created_at: at,
    idle_expires_at: at.optional(),
    expires_at: at,
    last_exchanged_at: at.optional(),
    client_id: z.string(),
    session_id: z.string().nullable(),
    refresh_token_metadata: z.looseObject({}).nullable(),
    device: device.optional().meta({ description: 'Of its session, while that is stored' }),
    resource_servers: z.array(z.object({ audience: z.string(), scopes: z.string() })),
  })
  .meta({ id: 'RefreshToken' })

export const presentSession = (row: SessionRow) => ({
  id: row.sid,
  user_id: row.userId,
  created_at: row.createdAt.toISOString(),
  updated_at: row.lastSeenAt.toISOString(),
  authenticated_at: row.authTime.toISOString(),
  idle_expires_at: row.idleExpiresAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  last_interacted_at: row.lastSeenAt.toISOString(),
  session_metadata: row.metadata,
  device: presentDevice(row.initialUserAgent, row.initialIp),
  clients: row.participants.map((client_id) => ({ client_id })),
  authentication: { methods: row.evidence.flatMap(methodsOf) },
})

const presentDevice = (userAgent: string | null, ip: string | null) => ({
  ...(userAgent === null ? {} : { initial_user_agent: userAgent }),
  ...(ip === null ? {} : { initial_ip: ip }),
})

const methodsOf = ({ method, at, recorded = [] }: SessionProof) => [
  { name: method, timestamp: at },
  ...recorded.map(({ url, at }) => ({ name: url, timestamp: at })),
]

export const presentRefreshToken = (row: RefreshTokenRow) => ({
  id: row.id,
  user_id: row.userId,
  created_at: row.createdAt.toISOString(),
  ...(row.idleExpiresAt === null ? {} : { idle_expires_at: row.idleExpiresAt.toISOString() }),
  expires_at: row.expiresAt.toISOString(),
  ...(row.rotatedAt === null ? {} : { last_exchanged_at: row.rotatedAt.toISOString() }),
  client_id: row.clientId,
  session_id: row.sid,
  refresh_token_metadata: row.metadata,
  ...(row.device === null ? {} : { device: presentDevice(row.device.userAgent, row.device.ip) }),
  resource_servers: row.audience === null ? [] : [{ audience: row.audience, scopes: row.scopes.join(' ') }],
})

type UserCall<Query = unknown> = Pick<Call<UserLoginDeps, Query>, 'params' | 'deps'>

async function existing({ params, deps }: UserCall): Promise<string> {
  const id = params.user_id ?? params.id ?? ''
  if (!(await deps.userLogins.exists(id))) throw inexistent('user')
  return id
}

export const userLogins = {
  usersSessionsList: operation({
    name: 'users.sessions.list',
    method: 'GET',
    path: '/users/:user_id/sessions',
    summary: 'List the sessions of a user',
    scopes: ['read:sessions'],
    query: listQuery,
    status: 200,
    answer: z.object({ sessions: z.array(session), ...nextShape }),
    async handle(call) {
      const { query, deps } = call
      const id = await existing(call)
      const body = await answerList(
        { ...query, take: query.take ?? 50 },
        {
          key: 'sessions',
          checkpoint: true,
          load: (window) => deps.userLogins.sessions(id, window, deps.clock.now()),
          present: presentSession,
          id: ({ sid }) => sid,
        },
      )
      return { body }
    },
  }),
  usersSessionsDelete: operation({
    name: 'users.sessions.delete',
    danger: true,
    method: 'DELETE',
    path: '/users/:user_id/sessions',
    summary: 'End all sessions of a user',
    scopes: ['delete:sessions'],
    target: inPath('users', 'user_id'),
    status: 202,
    answer: emptyAnswer,
    async handle(call) {
      const { deps } = call
      await deps.userLogins.endSessions(await existing(call), deps.clock.now())
      deps.wakeDispatcher()
      return {}
    },
  }),
  usersRefreshTokensList: operation({
    name: 'users.refresh_tokens.list',
    method: 'GET',
    path: '/users/:user_id/refresh-tokens',
    summary: 'List the refresh tokens of a user',
    scopes: ['read:refresh_tokens'],
    query: listQuery,
    status: 200,
    answer: z.object({ tokens: z.array(refreshToken), ...nextShape }),
    async handle(call) {
      const { query, deps } = call
      const id = await existing(call)
      const body = await answerList(
        { ...query, take: query.take ?? 50 },
        {
          key: 'tokens',
          checkpoint: true,
          load: (window) => deps.userLogins.refreshTokens({ userId: id, clientId: null }, window, deps.clock.now()),
          present: presentRefreshToken,
          id: (row) => row.id,
        },
      )
      return { body }
    },
  }),
  usersRefreshTokensDelete: operation({
    name: 'users.refresh_tokens.delete',
    method: 'DELETE',
    path: '/users/:user_id/refresh-tokens',
    summary: 'Revoke all refresh tokens of a user',
    scopes: ['delete:refresh_tokens'],
    target: inPath('users', 'user_id'),
    status: 202,
    answer: emptyAnswer,
    async handle(call) {
      await call.deps.userLogins.endRefreshTokens({ userId: await existing(call) }, call.deps.clock.now())
      return {}
    },
  }),
  usersRevokeAccess: operation({
    name: 'users.revoke_access',
    console: true,
    example: { preserve_refresh_tokens: true },
    method: 'POST',
    path: '/users/:id/revoke-access',
    summary: 'End all logins of a user, or one session',
    scopes: ['delete:sessions', 'delete:refresh_tokens'],
    target: inPath('users'),
    body: revokeBody,
    bodyOptional: true,
    status: 204,
    async handle(call) {
      const { body, deps, actor } = call
      const id = await existing(call)
      const { session_id: sid, preserve_refresh_tokens: keeps = false } = (body ?? {}) as z.output<typeof revokeBody>
      demandBoth(actor.scopes, keeps)
      const at = deps.clock.now()
      if (sid !== undefined) {
        const session = await deps.userLogins.session(sid, at)
        if (session?.userId !== id) throw inexistent('session')
        await deps.userLogins.endSession(sid, at, !keeps)
      } else if (keeps) await deps.userLogins.endSessions(id, at)
      else await deps.userLogins.endAll(id, at)
      deps.wakeDispatcher()
      return { before: { sessions: sid ?? 'all', refresh_tokens: !keeps } }
    },
  }),
  sessionsRead: operation({
    name: 'sessions.read',
    method: 'GET',
    path: '/sessions/:id',
    summary: 'Read a session',
    scopes: ['read:sessions'],
    status: 200,
    answer: session,
    async handle({ params, deps }) {
      const session = await deps.userLogins.session(params.id ?? '', deps.clock.now())
      if (!session) throw inexistent('session')
      return { body: presentSession(session) }
    },
  }),
  sessionsUpdate: operation({
    name: 'sessions.update',
    method: 'PATCH',
    path: '/sessions/:id',
    summary: 'Replace the metadata of a session',
    scopes: ['update:sessions'],
    target: inPath('sessions'),
    body: z.strictObject({ session_metadata: metadata }),
    status: 200,
    answer: session,
    async current({ params, deps }) {
      const session = await deps.userLogins.session(params.id ?? '', deps.clock.now())
      return session && presentSession(session)
    },
    async handle({ params: { id = '' }, body: { session_metadata: given }, deps }) {
      const now = deps.clock.now()
      const before = await deps.userLogins.session(id, now)
      const after = given === undefined ? before : await deps.userLogins.describeSession(id, orNull(given), now)
      if (!before || !after) throw inexistent('session')
      return {
        body: presentSession(after),
        before: { session_metadata: before.metadata },
        after: { session_metadata: after.metadata },
      }
    },
  }),
  sessionsDelete: operation({
    name: 'sessions.delete',
    console: true,
    method: 'DELETE',
    path: '/sessions/:id',
    summary: 'End a session',
    scopes: ['delete:sessions'],
    target: inPath('sessions'),
    status: 202,
    answer: emptyAnswer,
    async handle({ params, deps }) {
      await deps.userLogins.endSession(params.id ?? '', deps.clock.now(), false)
      deps.wakeDispatcher()
      return {}
    },
  }),
  sessionsRevoke: operation({
    name: 'sessions.revoke',
    method: 'POST',
    path: '/sessions/:id/revoke',
    summary: 'End a session and revoke its refresh tokens',
    scopes: ['delete:sessions'],
    target: inPath('sessions'),
    needs: ['delete:refresh_tokens'],
    status: 202,
    answer: emptyAnswer,
    async handle({ params, deps }) {
      if (!(await deps.userLogins.endSession(params.id ?? '', deps.clock.now(), true))) throw inexistent('session')
      deps.wakeDispatcher()
      return {}
    },
  }),
  refreshTokensList: operation({
    name: 'refresh_tokens.list',
    method: 'GET',
    path: '/refresh-tokens',
    summary: 'List the refresh tokens of a user, or those at one client',
    scopes: ['read:refresh_tokens'],
    query: tokensQuery,
    status: 200,
    answer: z.object({ refresh_tokens: z.array(refreshToken), ...nextShape }),
    async handle({ query, deps }) {
      const { user_id: userId, client_id: clientId = null, take = 50 } = query
      if (!(await deps.userLogins.exists(userId))) throw inexistent('user')
      const body = await answerList(
        { ...query, take },
        {
          key: 'refresh_tokens',
          checkpoint: true,
          load: (window) => deps.userLogins.refreshTokens({ userId, clientId }, window, deps.clock.now()),
          present: (row: RefreshTokenRow) => selectFields(presentRefreshToken(row), query),
          id: (row) => row.id,
        },
      )
      return { body }
    },
  }),
  refreshTokensRevoke: operation({
    name: 'refresh_tokens.revoke',
    example: { user_id: '<user>', client_id: '<client>' },
    method: 'POST',
    path: '/refresh-tokens/revoke',
    summary: 'Revoke refresh tokens by their ids, or those of a user',
    scopes: ['delete:refresh_tokens'],
    target: ({ body: { ids = [], user_id } }) => ({ tokens: ids, users: [user_id ?? ''] }),
    body: revokedTokens,
    status: 202,
    answer: emptyAnswer,
    async handle({ body, deps }) {
      const { ids = [], user_id: userId, client_id: clientId, audience } = body
      const at = deps.clock.now()
      if (userId !== undefined) await deps.userLogins.endRefreshTokens({ userId, clientId, audience }, at)
      for (const id of ids) await deps.userLogins.endRefreshToken(id, at)
      return { before: body }
    },
  }),
  refreshTokensRead: operation({
    name: 'refresh_tokens.read',
    method: 'GET',
    path: '/refresh-tokens/:id',
    summary: 'Read a refresh token',
    scopes: ['read:refresh_tokens'],
    status: 200,
    answer: refreshToken,
    async handle({ params, deps }) {
      const row = await deps.userLogins.refreshToken(params.id ?? '', deps.clock.now())
      if (!row) throw inexistent('refresh_token')
      return { body: presentRefreshToken(row) }
    },
  }),
  refreshTokensUpdate: operation({
    name: 'refresh_tokens.update',
    method: 'PATCH',
    path: '/refresh-tokens/:id',
    summary: 'Replace the metadata of a refresh token',
    scopes: ['update:refresh_tokens'],
    target: inPath('tokens'),
    body: z.strictObject({ refresh_token_metadata: metadata }),
    status: 200,
    answer: refreshToken,
    async current({ params, deps }) {
      const row = await deps.userLogins.refreshToken(params.id ?? '', deps.clock.now())
      return row && presentRefreshToken(row)
    },
    async handle({ params: { id = '' }, body: { refresh_token_metadata: given }, deps }) {
      const now = deps.clock.now()
      const before = await deps.userLogins.refreshToken(id, now)
      const after = given === undefined ? before : await deps.userLogins.describeRefreshToken(id, orNull(given), now)
      if (!before || !after) throw inexistent('refresh_token')
      return {
        body: presentRefreshToken(after),
        before: { refresh_token_metadata: before.metadata },
        after: { refresh_token_metadata: after.metadata },
      }
    },
  }),
  refreshTokensDelete: operation({
    name: 'refresh_tokens.delete',
    console: true,
    method: 'DELETE',
    path: '/refresh-tokens/:id',
    summary: 'Revoke a refresh token',
    scopes: ['delete:refresh_tokens'],
    target: inPath('tokens'),
    status: 202,
    answer: emptyAnswer,
    async handle({ params, deps }) {
      await deps.userLogins.endRefreshToken(params.id ?? '', deps.clock.now())
      return {}
    },
  }),
}

/** It ends sessions, and refresh tokens unless they are kept. */
function demandBoth(scopes: ReadonlySet<string>, keepsTokens: boolean): void {
  if (!scopes.has('delete:sessions')) throw lacksScope(['delete:sessions'])
  if (!keepsTokens && !scopes.has('delete:refresh_tokens')) throw lacksScope(['delete:refresh_tokens'])
}
