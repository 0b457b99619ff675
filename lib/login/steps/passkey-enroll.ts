// The offer to create a passkey, to a user who has just signed in.
import { finishPasskey } from '../../identity/passkeys/passkeys'
import { userOf } from '../flow/mfa-subject'
import { type PasskeyOffer, parsed, prepareOffer } from '../flow/passkey'
import { personView } from '../flow/person-views'
import type { FormAction, FormResult } from '../forms/action'
import type { LoginPage, LoginStep, PageContext } from './step'

declare module '../transaction' {
  interface Decisions {
    /** The offer to create a passkey, until it is answered. */
    passkeyOffer?: PasskeyOffer
  }
}

const addOfferedPasskey: FormAction = {
  name: 'add-passkey',
  async run(state, input, { userAgent }, deps): Promise<FormResult> {
    const { passkeyOffer: offer, ...decisions } = state.decisions
    if (!offer) return { kind: 'progress', decisions }
    const made = { session: input.passkey_session ?? '', response: parsed(input.passkey_response), userAgent }
    const added = await finishPasskey(userOf(state), made, deps)
    if (added.outcome === 'added') return { kind: 'progress', decisions, passkeyOffered: true }
    const next = await prepareOffer(userOf(state), offer.reason, deps)
    if (!next) return { kind: 'progress', decisions }
    const notice = added.reason === 'model' ? 'passkey_model' : 'passkey_not_added'
    return { kind: 'again', notice, decisions: { ...decisions, passkeyOffer: next } }
  },
}

const skipPasskey: FormAction = {
  name: 'skip-passkey',
  run: ({ decisions: { passkeyOffer: _, ...decisions } }) => ({ kind: 'progress', decisions, passkeyOffered: true }),
}

function viewOf({ state, shared }: PageContext) {
  const { passkeyOffer: offer } = state.decisions
  if (!offer) throw new Error('no passkey is offered')
  const { reason, ...passkey } = offer
  return { ...shared, screen: 'passkey-enroll' as const, reason, passkey, user: personView(state.user) }
}

const page: LoginPage<'passkey-enroll'> = {
  screen: 'passkey-enroll',
  view: viewOf,
  actions: [addOfferedPasskey, skipPasskey],
}

export const passkeyOffered: LoginStep = {
  name: 'passkey-offered',
  unmet: ({ decisions }) => decisions.passkeyOffer !== undefined,
  pages: [page],
  refusal: { code: 'interaction_required', description: 'Whether to create a passkey has to be decided' },
}
