// Accounts that are blocked because too many logins failed: of a user, and of a name that was typed.
import * as z from 'zod'
import type { AttemptGuard, GuessedAccount } from '../../data/users/attempts'
import { canonical } from '../../data/users/user'
import { inexistent } from '../operations/errors'
import { operationsWith } from '../operations/operation'
import { inPath } from '../operations/rank'

/** `name` is what a person types; `connection` is the name of the database. */
export type BlockableAccount = GuessedAccount & { name: string; connection: string }

export type UserBlockStore = {
  /** The accounts of a user at databases; null if there is no such user. */
  ofUser(userId: string): Promise<BlockableAccount[] | null>
  /** What a canonical name is counted as at each database, whether there is an account or not. */
  named(name: string): Promise<BlockableAccount[]>
}

export type UserBlockDeps = {
  userBlocks: UserBlockStore
  attempts: Pick<AttemptGuard, 'blocksOf' | 'liftBlocks'>
}

const operation = operationsWith<UserBlockDeps>()

const named = { identifier: z.string().min(1).max(320).meta({ description: 'An e-mail address or a username' }) }
/** Accepted for the vendor's tools: a block that is switched off does not exist here. */
const shown = { consider_brute_force_enablement: z.enum(['true', 'false']).optional() }

const blocks = z.object({
  blocked_for: z.array(
    z.object({
      identifier: z.string(),
      ip: z.string().optional().meta({ description: 'Absent where the account is blocked for every address' }),
      connection: z.string(),
    }),
  ),
})

async function blocksOf(accounts: readonly BlockableAccount[], { attempts }: UserBlockDeps) {
  const blocks = await attempts.blocksOf(accounts)
  const blocked_for = blocks.map(({ account: { name, connection }, ip }) => ({
    identifier: name,
    ...(ip === null ? {} : { ip }),
    connection,
  }))
  return { body: { blocked_for } }
}

async function accountsOf(userId: string | undefined, { userBlocks }: UserBlockDeps): Promise<BlockableAccount[]> {
  const accounts = await userBlocks.ofUser(userId ?? '')
  if (!accounts) throw inexistent('user')
  return accounts
}

export const userBlocks = {
  find: operation({
    name: 'user_blocks.find',
    method: 'GET',
    path: '/user-blocks',
    summary: 'List the blocks of an address or a username',
    scopes: ['read:users'],
    query: z.object({ ...named, ...shown }),
    status: 200,
    answer: blocks,
    async handle({ query, deps }) {
      return blocksOf(await deps.userBlocks.named(canonical(query.identifier)), deps)
    },
  }),
  lift: operation({
    name: 'user_blocks.lift',
    console: true,
    method: 'DELETE',
    path: '/user-blocks',
    summary: 'Lift the blocks of an address or a username',
    scopes: ['update:users'],
    target: ({ query }) => ({ accounts: [{ connectionId: null, name: canonical(query.identifier) }] }),
    query: z.object(named),
    status: 204,
    async handle({ query, deps }) {
      const name = canonical(query.identifier)
      await deps.attempts.liftBlocks(await deps.userBlocks.named(name))
      return { id: name }
    },
  }),
  ofUser: operation({
    name: 'user_blocks.of_user',
    method: 'GET',
    path: '/user-blocks/:id',
    summary: 'List the blocks of a user',
    scopes: ['read:users'],
    query: z.object(shown),
    status: 200,
    answer: blocks,
    async handle({ params, deps }) {
      return blocksOf(await accountsOf(params.id, deps), deps)
    },
  }),
  liftOfUser: operation({
    name: 'user_blocks.lift_of_user',
    console: true,
    method: 'DELETE',
    path: '/user-blocks/:id',
    summary: 'Lift the blocks of a user',
    scopes: ['update:users'],
    target: inPath('users'),
    status: 204,
    async handle({ params, deps }) {
      await deps.attempts.liftBlocks(await accountsOf(params.id, deps))
      return {}
    },
  }),
}
