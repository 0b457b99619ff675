// `tokenExchangeProfiles`: which action, by its name, judges the subject tokens of a type. A profile whose action is not here is reported and left
// out: without a judge there is no exchange.
import * as z from 'zod'
import {
  newProfile,
  PROFILE_TRIGGER,
  tokenExchangeProfiles as resource,
  type TokenExchangeProfileDeps,
  type TokenExchangeProfileRow,
} from '../../resources/token-exchange-profiles'
import { copiedRows } from '../copied-stores'
import type { Configuration, JsonObject } from '../model'
import { operate } from '../working-copy'
import { findAction } from './actions'
import { type ObjectKind, objectsSection } from './objects'

declare module '../model' {
  interface Copied {
    tokenExchangeProfiles: {
      rows: TokenExchangeProfileRow[]
      stores: Pick<TokenExchangeProfileDeps, 'tokenExchangeProfiles'>
    }
  }
}

const { name, subject_token_type, type } = newProfile.shape
const fields = z.object({
  name,
  subject_token_type,
  /** Its name. */
  action: z.string().min(1).max(255),
  type: type.optional(),
})

const kind: ObjectKind<TokenExchangeProfileRow> = {
  section: 'tokenExchangeProfiles',
  copy: copiedRows('tokenExchangeProfiles', {
    store: 'tokenExchangeProfiles',
    nameOf: ({ subjectTokenType }) => subjectTokenType,
  }),
  fields,
  all: ({ tokenExchangeProfiles }) => tokenExchangeProfiles,
  isNamed: (entry) => (row) => row.subjectTokenType === entry.subject_token_type,
  async operate(entry, before, path, context) {
    const { action, ...members } = fields.parse(entry)
    const judge = findAction(action, context.stored)
    if (judge?.live.trigger !== PROFILE_TRIGGER) {
      const why = judge ? `${action} is not made for ${PROFILE_TRIGGER}` : `no action ${action}`
      context.notApplied.push(`${path}.action: ${why}`)
    } else if (before)
      await operate(resource.update, { params: { id: before.id }, body: { name: members.name } }, context, {
        judge: judge.id,
      })
    else
      await operate(
        resource.create,
        { body: { ...members, type: 'custom_authentication', action_id: judge.id } },
        context,
      )
  },
  name: ({ name }) => name,
  shown,
  exported: (row, stored) => ({ ...shown(row, stored), type: 'custom_authentication' }),
}

export const tokenExchangeProfiles = objectsSection(kind, 'name')

function shown({ name, subjectTokenType, actionId }: TokenExchangeProfileRow, { actions }: Configuration): JsonObject {
  const action = actions.find(({ id }) => id === actionId)?.name ?? null
  return { name, subject_token_type: subjectTokenType, action }
}
