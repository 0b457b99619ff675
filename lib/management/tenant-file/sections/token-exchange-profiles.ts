// `tokenExchangeProfiles`: which action, by its name, judges the subject tokens of a type. A profile whose action is not here is reported and left
// out: without a judge there is no exchange.
import * as z from 'zod'
import { newProfile, newProfileId, PROFILE_TRIGGER } from '../../resources/token-exchange-profiles'
import { itemsOf, type PlanContext, readFields, type Section } from '../context'
import { differences } from '../fields'
import type { JsonObject, TokenExchangeProfileRow } from '../model'
import { findAction } from './actions'

const NAME = 'tokenExchangeProfiles'

const { name, subject_token_type, type } = newProfile.shape
const profileEntry = z.object({
  name,
  subject_token_type,
  /** Its name. */
  action: z.string().min(1).max(255),
  type: type.optional(),
})

export const tokenExchangeProfiles: Section = {
  name: NAME,
  plan(given, context) {
    for (const { value, path } of itemsOf(given, NAME, 'name', context)) planProfile(value, path, context)
  },
  export: ({ tokenExchangeProfiles: rows }) =>
    rows.length === 0 ? undefined : rows.map((row) => ({ ...shown(row), type: 'custom_authentication' })),
}

const shown = ({
  name,
  subjectTokenType: subject_token_type,
  actionName: action,
}: TokenExchangeProfileRow): JsonObject => ({
  ...{ name, subject_token_type, action },
})

function planProfile(value: JsonObject, path: string, context: PlanContext): void {
  const read = readFields(profileEntry, value, path, context)
  if (!read) return
  const { name, subject_token_type, action } = read.parsed
  const judge = findAction(action, context.stored)
  if (judge?.settings.trigger !== PROFILE_TRIGGER) {
    context.notApplied.push(
      `${path}.action: ${judge ? `${action} is not made for ${PROFILE_TRIGGER}` : `no action ${action}`}`,
    )
    return
  }
  const { tokenExchangeProfiles: rows } = context.stored
  const stored = rows.find(({ subjectTokenType: type }) => type === subject_token_type)
  const id = stored?.id ?? newProfileId(context.random)
  const row = { id, name, subjectTokenType: subject_token_type, actionName: action }
  context.stored.tokenExchangeProfiles = [...rows.filter((each) => each !== stored), row]
  const details = differences(stored ? shown(stored) : {}, shown(row))
  if (stored && details.length === 0) return
  context.changes.push({
    ...{ section: NAME, action: stored ? ('update' as const) : ('create' as const), name, details },
    writes: [{ table: 'tokenExchangeProfile', row }],
    records: [],
  })
}
