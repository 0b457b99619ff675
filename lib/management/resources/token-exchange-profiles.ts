// Token exchange profiles: which action judges the subject tokens of a type (RFC 8693; lib/protocols/oauth/grants/token-exchange.ts).
import * as z from 'zod'
import { subjectTokenType } from '../../identity/tenant-code/subject-token-type'
import { alphanumeric, type Random } from '../../kernel/random'
import { openObject } from '../../kernel/schema'
import { unknownMembers } from '../operations/effects'
import { invalidBody } from '../operations/errors'
import { defineResource, type ResourceStore } from '../operations/resource'
import type { ActionResourceStore } from './actions'

export type TokenExchangeProfileRow = {
  id: string
  name: string
  subjectTokenType: string
  actionId: string
  createdAt: Date
  updatedAt: Date
}

/** What a tenant file allows and the API does not. */
export type ProfileDoor = {
  /** The id of the action that judges from now on. */
  judge?: string
}

export type TokenExchangeProfileDeps = ProfileDoor & {
  clock: { now(): Date }
  random: Random
  managedActions: Pick<ActionResourceStore, 'find'>
  tokenExchangeProfiles: ResourceStore<TokenExchangeProfileRow>
}

/** Of the action that judges. */
export const PROFILE_TRIGGER = 'custom-token-exchange'

const members = {
  name: z.string().min(3).max(50),
  subject_token_type: subjectTokenType,
  action_id: z.string().min(1).max(100),
  type: z.literal('custom_authentication'),
}
const shown = z
  .object({ id: z.string(), ...members, created_at: z.string(), updated_at: z.string() })
  .meta({ id: 'TokenExchangeProfile' })

const create = openObject(members)
export const newProfile = create
const update = openObject({ name: members.name.optional(), subject_token_type: subjectTokenType.optional() })

const newProfileId = (random: Random): string => `tep_${alphanumeric(random, 16)}`

export const tokenExchangeProfiles = defineResource({
  noun: 'token_exchange_profile',
  plural: 'token_exchange_profiles',
  path: '/token-exchange-profiles',
  target: 'tenant',
  shown,
  create,
  update,
  examples: {
    create: {
      ...{ name: 'Legacy tokens', subject_token_type: 'urn:acme:legacy-token', type: 'custom_authentication' },
      action_id: '<exchange action>',
    },
    update: { name: 'Tokens of the old system' },
  },
  checkpoint: true,
  taken: {
    message: 'A token exchange profile with the same subject_token_type already exists.',
    errorCode: 'token_exchange_profile_conflict',
  },
  store: ({ tokenExchangeProfiles }: TokenExchangeProfileDeps) => tokenExchangeProfiles,
  id: (row: TokenExchangeProfileRow) => row.id,
  notApplied: (profile) => unknownMembers(shown, profile),
  present: ({ id, name, subjectTokenType, actionId, createdAt, updatedAt }) => ({
    id,
    name,
    ...{ subject_token_type: subjectTokenType, action_id: actionId, type: 'custom_authentication' },
    ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  }),
  async make(body, { deps }) {
    const { name, subject_token_type, action_id } = body
    const action = await deps.managedActions.find(action_id)
    if (!action) throw invalidBody({ path: 'action_id', message: 'There is no such action' })
    if ((action.draft?.trigger ?? action.live.trigger) !== PROFILE_TRIGGER)
      throw invalidBody({ path: 'action_id', message: `The action is not made for ${PROFILE_TRIGGER}` })
    const now = deps.clock.now()
    const id = newProfileId(deps.random)
    return { id, name, subjectTokenType: subject_token_type, actionId: action_id, createdAt: now, updatedAt: now }
  },
  change(row, body, { deps }) {
    const { name = row.name, subject_token_type = row.subjectTokenType } = body
    const { judge: actionId = row.actionId, clock } = deps
    return { ...row, name, subjectTokenType: subject_token_type, actionId, updatedAt: clock.now() }
  },
})
