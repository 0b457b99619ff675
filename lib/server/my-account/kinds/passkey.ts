// Passkeys. The session is sealed and stores nothing; its challenge is consumed before the answer of the authenticator is read. The page
// that asks the browser is one of this server or of a web origin of the client.
import * as z from 'zod'
import { viewOfPasskey } from '../../../identity/passkeys/passkey-view'
import {
  type AddRefusal,
  accountForPasskey,
  beginPasskey,
  finishPasskey,
  listPasskeys,
  type PasskeyPage,
  removePasskey,
  renamePasskey,
} from '../../../identity/passkeys/passkeys'
import { DomainError, invalidRequest } from '../../../kernel/errors'
import { once } from '../../../kernel/lazy'
import { pagesOf } from '../../../protocols/oauth/passkey'
import { invalidMember, readBody, sessionOver } from '../read-body'
import { accountMembers, identityOf, isNamed } from './accounts'
import type { MethodKind, MyAccountCall } from './kind'

const TYPE = 'passkey'

/** The id in the address of an enrolment: the passkey has none before its key is made. */
const NEW = `${TYPE}|new`

const beginBody = once(() =>
  z.strictObject({
    type: z.literal(TYPE),
    ...accountMembers(),
    use_exclude_credentials: z.boolean().optional(),
  }),
)

/** lib/identity/passkeys/verify.ts reads the answer of the authenticator. */
const verifyBody = once(() =>
  z.strictObject({ auth_session: z.string().min(1).max(4000), authn_response: z.looseObject({}) }),
)

export const passkey: MethodKind = {
  usage: 'primary',
  begins: { [TYPE]: beginBody },
  verifies: verifyBody,
  owns: (id) => id.startsWith(`${TYPE}|`),
  available: async ({ user, runtime }) => ((await accountForPasskey(user, runtime)) ? [TYPE] : []),
  async list({ user, runtime }) {
    return (await listPasskeys(user, runtime)).map((each) => ({
      ...viewOfPasskey(each),
      identity_user_id: identityOf(each.providerUserId),
    }))
  },
  async begin(call, members) {
    const { use_exclude_credentials = true, ...named } = readBody(beginBody(), members)
    const { user, runtime } = call
    const account = await accountForPasskey(user, runtime, await isNamed(named, call))
    if (!account) throw invalidRequest('No account of the person can have passkeys')
    const { session, options } = await beginPasskey(user, account, runtime, askerOf(call))
    const { excludeCredentials, ...plain } = options
    const authn_params_public_key = use_exclude_credentials ? options : plain
    return { id: NEW, body: { auth_session: session, authn_params_public_key } }
  },
  async verify(call, id, members) {
    const { auth_session: session, authn_response: response } = readBody(verifyBody(), members)
    if (id !== NEW) throw sessionOver()
    const { user, request, runtime } = call
    const answer = { session, response, userAgent: request.headers['user-agent'] }
    const added = await finishPasskey(user, answer, runtime, askerOf(call))
    if (added.outcome === 'refused') throw refusalOf(added.reason)
    return added.passkey.id
  },
  async change({ user, runtime }, id, { name, preferred_authentication_method: channel }) {
    if (!(await listPasskeys(user, runtime)).some((each) => each.id === id)) return false
    if (channel !== undefined) throw invalidMember('preferred_authentication_method', 'Only a phone has it')
    return name === undefined || renamePasskey(user, id, name, runtime)
  },
  remove: async ({ user, runtime }, id) => (await removePasskey(user, id, runtime)) !== null,
}

const askerOf = ({ client, family, runtime }: MyAccountCall): PasskeyPage => ({
  clientId: client.clientId,
  login: family.sid ?? family.id,
  origins: pagesOf(client, runtime),
})

function refusalOf(reason: AddRefusal): DomainError {
  switch (reason) {
    case 'expired':
      return sessionOver()
    case 'invalid':
      return invalidMember('authn_response', 'The answer of the authenticator is not valid')
    case 'model':
      return invalidMember('authn_response', 'Passkeys of this authenticator are not accepted')
    case 'conflict':
      return new DomainError('conflict', 'The passkey is known already, or the account has changed meanwhile')
  }
}
