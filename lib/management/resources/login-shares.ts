// Links for people without an account of the console: to a reduced copy of one login (docs/adr/0071). Ours.
import * as z from 'zod'
import { SHARED_LOGIN_PATH, type SharedContent } from '../../data/logins/login-share'
import { sharedLoginOf } from '../../data/logins/shared-login'
import type { LinkMaker } from '../../data/tickets/ticket'
import { addSeconds, type Clock } from '../../kernel/clock'
import { alphanumeric, type Random } from '../../kernel/random'
import { mint } from '../../kernel/secret'
import { inexistent } from '../operations/errors'
import { answerList, type Page, pageQuery, type Window } from '../operations/list'
import { makerOf } from '../operations/maker'
import { operationsWith } from '../operations/operation'
import type { RankDeps } from '../operations/rank'
import type { LoginRecordDeps } from './logins'

const KINDS = ['report'] as const

export type LoginShareRow = {
  id: string
  kind: (typeof KINDS)[number]
  loginId: string | null
  maker: LinkMaker
  createdAt: Date
  expiresAt: Date
  openings: number
  lastOpenedAt: Date | null
}

export type NewLoginShare = Pick<LoginShareRow, 'id' | 'loginId' | 'maker' | 'createdAt' | 'expiresAt'> & {
  digest: Uint8Array
  content: SharedContent
  /** By whom the copy is erased: the person of the login, and the address. */
  userId: string | null
  person: string | null
}

export type LoginShareStore = {
  insert(share: NewLoginShare): Promise<void>
  /** Those that have not expired. */
  list(
    filter: { loginId: string | undefined; now: Date },
    window: Extract<Window, { offset: number }>,
  ): Promise<Page<LoginShareRow>>
  /** Null if it is absent. */
  remove(id: string): Promise<LoginShareRow | null>
}

export type LoginShareDeps = LoginRecordDeps &
  RankDeps & { loginShares: LoginShareStore; baseUrl: string; clock: Clock; random: Random }

const operation = operationsWith<LoginShareDeps>()

const ID_CHARACTERS = 16
const DAY_SECONDS = 86_400
const MAX_DAYS = 30
const DEFAULT_DAYS = 7

const shown = z
  .object({
    id: z.string(),
    kind: z.enum(KINDS),
    login_id: z.string().nullable(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    created_by: z.object({ user_id: z.string().optional(), client_id: z.string().optional() }),
    openings: z.number(),
    last_opened_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'LoginShare' })
const made = shown.extend({ url: z.string() }).meta({ id: 'NewLoginShare' })

const newShare = z.strictObject({
  login_id: z.string().min(1).max(100),
  days: z.number().int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS).meta({
    title: 'Opens for',
    help: 'After that, the link and the copy are gone.',
    group: 'share',
  }),
})

const makerNamed = (maker: LinkMaker): Record<string, string> => {
  if ('client' in maker) return { client_id: maker.client }
  if ('administrator' in maker) return { user_id: maker.administrator }
  return { user_id: 'user' in maker ? maker.user : maker.member }
}

const present = ({ id, kind, loginId, maker, createdAt, expiresAt, openings, lastOpenedAt }: LoginShareRow) => ({
  ...{ id, kind, login_id: loginId },
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
  created_by: makerNamed(maker),
  openings,
  last_opened_at: lastOpenedAt?.toISOString() ?? null,
})

export const loginShares = {
  list: operation({
    name: 'login_shares.list',
    method: 'GET',
    path: '/login-shares',
    summary: 'List the links to copies of logins that have not expired, newest first',
    scopes: ['read:logins'],
    list: 'login_shares',
    query: z.object({ ...pageQuery, login_id: z.string().max(100).optional() }),
    status: 200,
    answer: z.array(shown),
    async handle({ query, deps }) {
      const list = {
        key: 'login_shares',
        load: (window: Window) =>
          deps.loginShares.list(
            { loginId: query.login_id, now: deps.clock.now() },
            'offset' in window ? window : { offset: 0, limit: window.limit },
          ),
        present,
        id: ({ id }: LoginShareRow) => id,
      }
      return { body: await answerList(query, list) }
    },
  }),
  create: operation({
    name: 'login_shares.create',
    console: true,
    method: 'POST',
    path: '/login-shares',
    summary: 'Make a link to a reduced copy of a login',
    scopes: ['create:login_shares'],
    needs: ['read:logins'],
    secrets: { url: { scopes: ['create:login_shares'], otherwise: 'masked' } },
    target: 'tenant',
    example: { login_id: '<login>', days: 7 },
    body: newShare,
    status: 201,
    answer: made,
    async handle({ body, actor, deps }) {
      const found = await deps.loginRecords.find(body.login_id)
      if (!found) throw inexistent('login')
      const secret = mint(deps.random)
      const createdAt = deps.clock.now()
      const share: NewLoginShare = {
        id: `lsh_${alphanumeric(deps.random, ID_CHARACTERS)}`,
        digest: secret.digest,
        content: { kind: 'report', login: sharedLoginOf(found) },
        ...{ loginId: found.id, userId: found.userId, person: found.person },
        maker: makerOf(actor, 'create:login_shares', deps),
        createdAt,
        expiresAt: addSeconds(createdAt, body.days * DAY_SECONDS),
      }
      await deps.loginShares.insert(share)
      const row = present({ ...share, kind: share.content.kind, openings: 0, lastOpenedAt: null })
      return {
        body: { ...row, url: `${deps.baseUrl}${SHARED_LOGIN_PATH}/${secret.plain}` },
        after: { login_id: found.id, expires_at: row.expires_at },
        id: share.id,
      }
    },
  }),
  delete: operation({
    name: 'login_shares.delete',
    console: true,
    method: 'DELETE',
    path: '/login-shares/:id',
    summary: 'Withdraw a link to a copy of a login',
    scopes: ['delete:login_shares'],
    target: 'tenant',
    status: 204,
    async handle({ params, deps }) {
      const removed = await deps.loginShares.remove(params.id)
      if (!removed) throw inexistent('login_share')
      const { login_id, expires_at } = present(removed)
      return { before: { login_id, expires_at } }
    },
  }),
}
